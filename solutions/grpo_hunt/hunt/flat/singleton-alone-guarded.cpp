if (group.size() == 1) return 0;
