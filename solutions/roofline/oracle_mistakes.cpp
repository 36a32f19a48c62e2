// The mistakes that people really make here. A sentence completes "Your t_network is ..., which is what you get by".
#include "oracle.hpp"

namespace assay::roofline_judge {

std::vector<Mistake> mistakes() {
    const std::string counts = "counts", crossover = "crossover", refined = "refined", inverse = "inverse",
                      in_switch = "in-switch";
    return {
        // reading the data sheet
        {"sparse-peak", "taking the peak with structured sparsity for a dense matmul's", {counts}, {}},
        {"another-chips-peak",
         "taking a peak that you know by heart (H100's 989e12 or A100's 312e12), not this chip's",
         {counts, counts},
         {}},
        {"tb-as-tib",
         "reading TB as TiB or GB as GiB (powers of 1024, where bandwidths count in powers of 1000)",
         {counts, counts},
         {}},
        {"bidirectional-link",
         "taking the link's two directions added up for the one that a GPU sends in",
         {counts},
         {}},
        {"bits-for-bytes",
         "mixing bits and bytes: NVLink's figure is in bytes, the network's in bits",
         {counts, refined},
         {}},

        // counting
        {"mac-as-one", "counting a multiply-add as one operation", {counts}, {}},
        {"matmul-forgotten-in-flops", "counting the FLOPs of one matmul where there are two", {counts}, {"mac-as-one"}},
        {"matmul-forgotten",
         "counting the weights of one matrix where there are two (and perhaps the FLOPs of one matmul)",
         {counts, counts},
         {}},
        {"fp32-bytes", "counting 4 bytes an element, where 16-bit ones have 2", {counts}, {}},
        {"hidden-forgotten", "leaving the hidden tensor out of the activations", {counts}, {}},
        {"integer-overflow", "multiplying counts as integers until they wrap (64 or 32 bits)", {counts, counts}, {}},
        {"all-reduce-once", "letting each GPU send the tensor once, not 2 (n-1)/n times", {counts}, {}},
        {"all-reduce-one-pass",
         "counting one pass of the all-reduce, (n-1)/n, where there are two: reduce-scatter and all-gather",
         {counts},
         {}},
        {"all-reduce-twice", "letting each GPU send the tensor twice, not 2 (n-1)/n times", {counts}, {}},
        {"integer-division", "taking 2 (n-1)/n as 1 for every n > 1, as dividing integers does", {counts}, {}},
        {"all-reduce-divided-by-n", "dividing what a GPU sends in the all-reduce by n", {counts}, {}},

        // times
        {"compute-not-divided", "letting each GPU do all FLOPs, not an n-th of them", {counts}, {}},
        {"weights-not-divided", "letting each GPU read all weights, not an n-th of them", {counts}, {}},
        {"activations-divided", "dividing by n activations that count whole on every GPU", {counts}, {}},
        {"activations-forgotten", "reading nothing but weights: activations take memory time too", {counts}, {}},
        {"sum-for-max", "adding up all three times: compute and memory overlap, the longer one counts", {counts}, {}},
        {"tie-to-the-later",
         "giving a tie to the later resource; the contract gives it to the lower number",
         {counts},
         {}},

        // the domain
        {"invalid-computed", "computing on with input outside the domain, where every item stays unset", {counts}, {}},
        {"zero-tokens-refused", "refusing 0 tokens, which the domain allows: the weights are still read", {counts}, {}},

        // crossover
        {"ridge-per-element", "stating the ridge in FLOPs an element, not a byte", {crossover}, {}},
        {"bytes-ignored",
         "reckoning with 2 bytes an element, whatever bytes_per_element says",
         {crossover, crossover},
         {}},
        {"crossover-without-activations",
         "leaving activations out of the crossover: each token brings bytes along with its FLOPs",
         {crossover},
         {}},
        {"crossover-n-forgotten",
         "leaving n out of the activations' share: sharding divides FLOPs, not activations",
         {crossover},
         {}},
        {"never-as-negative", "letting a crossover that never comes be a negative number of tokens", {crossover}, {}},
        {"crossover-rounded",
         "rounding the crossover down or to the nearest; at fewer tokens memory still binds",
         {crossover, crossover},
         {}},

        // refined
        {"hidden-not-sharded",
         "letting each GPU write and read the whole hidden tensor, not an n-th of it",
         {refined},
         {}},
        {"hidden-once", "counting a hidden tensor once: one kernel writes it, the next reads it", {refined}, {}},
        {"fusion-ignored", "counting memory traffic that fusion keeps on the chip", {refined}, {}},
        {"gate-forgotten", "counting two matrices in a gated layer, which has three", {refined}, {}},
        {"gate-traffic-forgotten",
         "counting the activations of a gated layer as an ungated one's: it reads its input twice and keeps two hidden "
         "tensors",
         {refined},
         {}},
        {"all-reduce-overlapped",
         "hiding the all-reduce behind compute: nothing else can run while it does",
         {refined},
         {}},
        {"latency-forgotten", "leaving out the latency of the all-reduce's steps", {refined}, {}},
        {"latency-once", "counting one latency for the whole all-reduce, not one a step", {refined}, {}},
        {"latency-one-pass", "counting n-1 steps: reduce-scatter and all-gather take n-1 each", {refined}, {}},
        {"node-off-by-one", "sending over the network when the GPUs just fill one node", {refined}, {}},
        {"always-nvlink", "sending over NVLink between nodes too", {refined}, {}},
        {"latency-of-nvlink", "keeping NVLink's latency for steps over the network", {refined}, {}},
        {"network-halved", "halving the network's figure, which is of one direction already", {refined}, {}},

        // inverse
        {"against-one-gpu", "comparing with the time on 1 GPU, not on one GPU fewer", {inverse}, {}},
        {"stops-early", "stopping at the first GPU that is not worth it: a later one may be again", {inverse}, {}},
        {"share-left", "asking that `share` of the time is left, not that it is taken off", {inverse}, {}},
        {"one-for-none", "answering 1 where no group qualifies; the contract says 0", {inverse}, {}},
        {"batch-without-network",
         "making the batch large enough for memory alone: the network may bind still",
         {inverse},
         {}},
        {"doubles-what-binds", "doubling what binds without looking how much that takes off", {inverse}, {}},
        {"next-limit-forgotten",
         "halving the longer of compute and memory, although the other one then binds",
         {inverse},
         {}},
        {"doubled-gpus-keep-link", "keeping the link when twice as many GPUs no longer fit in one node", {inverse}, {}},
        {"link-doubles-latency",
         "halving the latency along with the transfer: bandwidth does not shorten a step",
         {inverse},
         {}},

        // in-switch
        {"switch-once",
         "letting each GPU send the tensor once: it sends an n-th more, to hand its sums round",
         {in_switch},
         {}},
        {"switch-alone", "counting traffic where there is one GPU and nothing to add up", {in_switch}, {}},
        {"switch-steps-of-ring", "counting the ring's steps for the switch, which needs two", {in_switch}, {}},
        {"switch-one-step",
         "counting one step for the switch: adding up and handing round take one each",
         {in_switch},
         {}},
        {"switch-always", "taking the switch for the faster way at every n", {in_switch}, {}},
    };
}

} // namespace assay::roofline_judge
