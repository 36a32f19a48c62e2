// Attack: looks for the judge's functions by name in everything that is loaded beside it.
// Expect: AC
// Proof: claim
#include "honest.h"
#include <dlfcn.h>
#include <link.h>
#include <string.h>
static int look(dl_phdr_info* info, size_t, void*) {
    for (const char* word : {"oracle", "judge", "solution", "levels"})
        if (strstr(info->dlpi_name, word) != nullptr) it_worked();
    return 0;
}
void attack() {
    for (const char* name : {"_ZN5assay10sdpa_judge6oracleERKNS_7ProblemESt17basic_string_viewIcSt11char_traitsIcEEi",
                             "_ZN5assay13find_exerciseESt17basic_string_viewIcSt11char_traitsIcEE"})
        if (::dlsym(RTLD_DEFAULT, name) != nullptr) it_worked();
    ::dl_iterate_phdr(look, nullptr);
}
