const float given = scale.value_or(0.0f);
return given != 0 ? given : usual;
