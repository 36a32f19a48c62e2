// Attack: the source itself is a pipe that nobody writes to.
// Expect: unusable
// Source is a pipe
