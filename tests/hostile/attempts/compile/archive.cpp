// Attack: what begins like an archive of objects calls itself a source.
// Expect: CE
// Begins with: !<arch>
attempt.o/      0           0     0     644     8         `
