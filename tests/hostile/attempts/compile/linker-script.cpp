// Attack: a linker script that calls itself a source and names another's file.
// Expect: CE
// As it stands
INPUT(/etc/passwd)
OUTPUT(/tmp/hostile-left-output)
