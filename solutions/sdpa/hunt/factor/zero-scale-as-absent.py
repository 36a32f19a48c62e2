return scale or usual
