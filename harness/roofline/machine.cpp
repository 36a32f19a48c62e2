#include "roofline/machine.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <sched.h>
#include <sstream>
#include <string>
#include <unistd.h>

namespace assay::roofline {

namespace {

std::string first_line(const std::string& path) {
    std::ifstream in(path);
    std::string line;
    std::getline(in, line);
    return line;
}

std::string processor_name() {
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);)
        if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos)
            return line.substr(line.find(": ") + 2);
    return "";
}

/// "32768K" as the kernel writes it.
std::int64_t size_of(const std::string& text) {
    std::istringstream in(text);
    std::int64_t size = 0;
    char unit = ' ';
    in >> size >> unit;
    return unit == 'K' ? size << 10 : unit == 'M' ? size << 20 : unit == 'G' ? size << 30 : size;
}

/// Each cache of the last level counts once, however many processors share it.
std::int64_t cache_bytes(const cpu_set_t& mine) {
    std::map<int, std::map<std::string, std::int64_t>> by_level;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &mine)) continue;
        const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache/index";
        for (int i = 0; i < 16; ++i) {
            const std::string at = folder + std::to_string(i) + "/";
            const std::string level = first_line(at + "level");
            if (level.empty()) break;
            if (first_line(at + "type") != "Instruction")
                by_level[std::atoi(level.c_str())][first_line(at + "shared_cpu_list")] =
                    size_of(first_line(at + "size"));
        }
    }
    std::int64_t total = 0;
    if (!by_level.empty())
        for (const auto& [shared, size] : by_level.rbegin()->second) total += size;
    if (total == 0) total = std::max(0L, sysconf(_SC_LEVEL3_CACHE_SIZE)); // no /sys in some containers
    return total;
}

std::int64_t free_bytes() {
    std::int64_t free = 0;
    std::ifstream in("/proc/meminfo");
    for (std::string name, unit; in >> name;) {
        std::int64_t kib = 0;
        in >> kib;
        std::getline(in, unit);
        if (name == "MemAvailable:") free = kib << 10;
    }
    const std::string limit = first_line("/sys/fs/cgroup/memory.max"); // "max" where there is none
    const std::string used = first_line("/sys/fs/cgroup/memory.current");
    if (!limit.empty() && limit != "max" && !used.empty())
        free = std::min<std::int64_t>(free, std::max(0LL, std::atoll(limit.c_str()) - std::atoll(used.c_str())));
    return free;
}

} // namespace

Machine this_machine() {
    Machine machine;
    machine.processor = processor_name();
    cpu_set_t mine;
    CPU_ZERO(&mine);
    if (sched_getaffinity(0, sizeof mine, &mine) != 0 || CPU_COUNT(&mine) == 0) CPU_SET(0, &mine);
    machine.processors = CPU_COUNT(&mine);
    machine.cache_bytes = cache_bytes(mine);
    machine.free_bytes = free_bytes();
    return machine;
}

} // namespace assay::roofline
