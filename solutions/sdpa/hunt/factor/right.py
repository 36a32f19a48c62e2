return usual if scale is None else scale
