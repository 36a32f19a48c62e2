for (float& x : row.query) x *= factor_;
