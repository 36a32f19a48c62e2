// Attack: the source itself is a link to another's file.
// Expect: unusable
// Source is a link: public
// Proof: secret
