// A program that tries, for tests/sandbox, what a confined program must not manage. Each word on its command line is
// tried in turn and answered with a line "word: ok", "word: EPERM" or whatever came of it.
#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <functional>
#include <map>
#include <sched.h>
#include <string>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

std::string result(long value) {
    if (value >= 0) return "ok";
    const char* name = strerrorname_np(errno);
    return name != nullptr ? name : std::to_string(errno);
}

std::string opened(const std::string& path, int flags) { return result(open(path.c_str(), flags, 0600)); }

std::string connected() {
    const int end = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (end < 0) return result(-1);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(9);
    inet_pton(AF_INET, "192.0.2.1", &address.sin_addr);
    return result(connect(end, reinterpret_cast<const sockaddr*>(&address), sizeof address));
}

std::string forked() {
    const pid_t child = fork();
    if (child < 0) return result(-1);
    if (child == 0) _exit(0);
    waitpid(child, nullptr, 0);
    return "ok";
}

/// Leaves a process behind, in a session of its own where it may.
std::string daemonised() {
    const pid_t child = fork();
    if (child < 0) return result(-1);
    if (child == 0) {
        setsid();
        if (fork() == 0) {
            for (int fd = 0; fd < 3; ++fd) close(fd);
            sleep(600);
        }
        _exit(0);
    }
    waitpid(child, nullptr, 0);
    return "ok";
}

std::string entries(const char* path, const std::function<bool(const std::string&)>& wanted) {
    DIR* folder = opendir(path);
    if (folder == nullptr) return result(-1);
    int count = 0;
    while (const dirent* entry = readdir(folder))
        if (wanted(entry->d_name)) ++count;
    closedir(folder);
    return std::to_string(count);
}

std::string own_descriptors() {
    std::string found;
    for (int fd = 0; fd < 256; ++fd)
        if (fcntl(fd, F_GETFD) >= 0) found += (found.empty() ? "" : ",") + std::to_string(fd);
    return found;
}

std::string threaded() {
    try {
        int sum = 0;
        std::thread other([&] { sum = 42; });
        other.join();
        return sum == 42 ? "ok" : "lost";
    } catch (const std::exception& error) {
        return error.what();
    }
}

std::string line_of_status(const std::string& name) {
    std::FILE* file = std::fopen("/proc/self/status", "r");
    if (file == nullptr) return result(-1);
    char line[256];
    std::string found = "missing";
    while (std::fgets(line, sizeof line, file) != nullptr)
        if (std::strncmp(line, name.c_str(), name.size()) == 0) {
            found = std::string(line + name.size() + 1);
            while (!found.empty() && std::isspace(static_cast<unsigned char>(found.back())) != 0) found.pop_back();
            while (!found.empty() && std::isspace(static_cast<unsigned char>(found.front())) != 0) found.erase(0, 1);
        }
    std::fclose(file);
    return found;
}

/// Memory that RLIMIT_DATA does not count.
std::string shared_memory(std::size_t bytes) {
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return result(-1);
    std::memset(memory, 1, bytes);
    return "ok";
}

std::string threads_until_refused() {
    int count = 0;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    pthread_t thread;
    while (count < 5000 && pthread_create(
                               &thread, &small, [](void*) -> void* { return pause(), nullptr; }, nullptr) == 0)
        ++count;
    return count < 5000 ? "bounded" : "unbounded";
}

/// What follows the first '=' of a word.
std::string tried(const std::string& word, const std::string& value) {
    if (word == "read") return opened(value, O_RDONLY);
    if (word == "write") return opened(value, O_WRONLY | O_CREAT);
    if (word == "exists") return result(access(value.c_str(), F_OK));
    if (word == "chmod") return result(chmod(value.c_str(), 0600));
    if (word == "kill") return result(kill(std::atoi(value.c_str()), 0));
    if (word == "shared-mib") return shared_memory(static_cast<std::size_t>(std::atoi(value.c_str())) << 20);
    if (word == "status") return line_of_status(value);
    if (word == "exit") std::exit(std::atoi(value.c_str()));
    if (word == "signal") return result(raise(std::atoi(value.c_str())));
    static const std::map<std::string, std::function<std::string()>> plain {
        {"socket", [] { return result(socket(AF_UNIX, SOCK_STREAM, 0)); }}, {"connect", connected}, {"fork", forked},
            {"daemon", daemonised}, {"thread", threaded}, {"threads", threads_until_refused},
            {"setsid", [] { return result(setsid()); }},
            {"shm", [] { return result(shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600)); }},
            {"clone3", [] { return result(syscall(SYS_clone3, nullptr, 0)); }},
            {"ptrace", [] { return result(ptrace(PTRACE_TRACEME, 0, nullptr, nullptr)); }},
            {"unshare", [] { return result(unshare(CLONE_NEWUSER)); }},
            {"clone-newuser",
             [] { return result(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, nullptr)); }},
            {"bpf", [] { return result(syscall(SYS_bpf, 0, nullptr, 0)); }},
            {"io_uring", [] { return result(syscall(425, 1, nullptr)); }},
            {"keyctl", [] { return result(syscall(SYS_keyctl, 0, 0, 0)); }},
            {"mount", [] { return result(syscall(SYS_mount, "none", "/", "tmpfs", 0, nullptr)); }},
            {"userfaultfd", [] { return result(syscall(SYS_userfaultfd, 0)); }},
            {"newest-call", [] { return result(syscall(470, 0, 0, 0)); }},
            {"personality", [] { return result(personality(0xffffffff)); }},
            {"no-randomness", [] { return result(personality(ADDR_NO_RANDOMIZE)); }},
            {"old-personality", [] { return result(personality(PER_LINUX32)); }},
            {"user", [] { return std::to_string(getuid()); }}, {"parent", [] { return std::to_string(getppid()); }},
            {"self", [] { return std::to_string(getpid()); }}, {"descriptors", own_descriptors},
            {"folder",
             [] {
                 char name[4096];
                 return std::string(getcwd(name, sizeof name) != nullptr ? name : "none");
             }},
            {"processes",
             [] { return entries("/proc", [](const std::string& name) { return std::atoi(name.c_str()) > 0; }); }},
            {"abort", []() -> std::string { std::abort(); }},
            {"sleep", [] { return result(static_cast<long>(sleep(600))); }},
#if defined(__x86_64__)
            {"int80",
             []() -> std::string {
                 long number = 20; // getpid of the 32-bit table
                 asm volatile("int $0x80" : "+a"(number) : : "memory", "r8", "r9", "r10", "r11");
                 return number > 0 ? "ok" : "refused";
             }},
            {"x32", [] { return result(syscall(0x40000000 | SYS_getpid)); }},
#endif
    };
    const auto found = plain.find(word);
    return found == plain.end() ? "no such try" : found->second();
}

} // namespace

int main(int count, char** words) {
    std::setvbuf(stdout, nullptr, _IOLBF, 4096);
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        const std::size_t mark = word.find('=');
        const std::string answer = tried(word.substr(0, mark), mark == std::string::npos ? "" : word.substr(mark + 1));
        std::printf("%s: %s\n", word.c_str(), answer.c_str());
    }
}
