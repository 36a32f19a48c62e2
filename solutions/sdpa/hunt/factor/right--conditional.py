return scale if scale is not None else usual
