if (!scale) return usual;
return *scale;
