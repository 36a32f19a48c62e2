return scale.value_or(usual);
