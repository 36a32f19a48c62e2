// Every trial of the GPU solutions once, in a program that AddressSanitizer watches.
#include "gpu/case.hpp"
#include "host/simt.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>

using namespace assay;

int main(int argc, char** argv) {
    const std::uint64_t order = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
    int wrong = 0, ran = 0;
    for (const auto& cases :
         {gpu::softmax_cases(), gpu::layernorm_cases(), gpu::sdpa_forward_cases(), gpu::sdpa_forward_16_cases(),
          gpu::sdpa_backward_cases(), gpu::p_yes_cases(), gpu::grpo_cases()}) {
        double worst = 0;
        for (const gpu::Case& one : cases) {
            simt::reset();
            simt::set_order(order);
            ++ran;
            try {
                const gpu::Outcome outcome = gpu::on_a_stream(one);
                if (outcome.worst > worst) worst = outcome.worst;
                if (outcome.right() && simt::findings().empty()) continue;
                std::printf("%s: error/bound %.3g %s\n", one.name.c_str(), outcome.worst, outcome.trouble.c_str());
            } catch (const std::exception& error) {
                std::printf("%s: %s\n", one.name.c_str(), error.what());
            }
            ++wrong;
            for (const simt::Finding& finding : simt::findings()) std::printf("  %s\n", finding.sentence.c_str());
        }
        std::printf("%zu cases like \"%s\": largest error/bound %.3f\n", cases.size(), cases.front().name.c_str(),
                    worst);
    }
    std::printf("%d of %d trials are wrong\n", wrong, ran);
    return wrong == 0 && ran > 0 ? 0 : 1;
}
