// Attack: prints what would make a terminal or a CI system show something else.
// Expect: AC
// Proof: escape
#include "honest.h"
void attack() {
    const char text[] = "\x1b]0;me\a\x1b[2J\x1b[HAC\r\n::set-output name=verdict::AC\n\xe2\x80\xae\xff\xfe</pre><script>";
    (void)!::write(1, text, sizeof text);
}
