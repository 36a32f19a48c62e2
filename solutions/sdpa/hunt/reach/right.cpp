j <= i + keys_ - queries_
