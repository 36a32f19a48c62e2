// Attack: a macro that expands to 10^12 tokens.
// Expect: CE
// Slow: the compiler's memory or time is used up
#include "honest.h"
#define A x, x, x, x, x, x, x, x, x, x
#define B A, A, A, A, A, A, A, A, A, A
#define C B, B, B, B, B, B, B, B, B, B
#define D C, C, C, C, C, C, C, C, C, C
#define E D, D, D, D, D, D, D, D, D, D
#define F E, E, E, E, E, E, E, E, E, E
#define G F, F, F, F, F, F, F, F, F, F
#define H G, G, G, G, G, G, G, G, G, G
#define I H, H, H, H, H, H, H, H, H, H
#define J I, I, I, I, I, I, I, I, I, I
#define K J, J, J, J, J, J, J, J, J, J
#define L K, K, K, K, K, K, K, K, K, K
static const int x = 1;
static const int bomb[] = {L};
void attack() { (void)bomb; }
