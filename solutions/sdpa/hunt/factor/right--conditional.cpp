return scale ? *scale : usual;
