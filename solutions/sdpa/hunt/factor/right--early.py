if scale is None:
    return usual
return scale
