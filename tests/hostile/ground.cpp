#include "hostile/ground.hpp"

#include "catalogue/files.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <netinet/in.h>
#include <sstream>
#include <stdexcept>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace assay::hostile {

namespace fs = std::filesystem;

namespace {

constexpr key_t left_key = 0x0badcafe; // what the leaving programs take

std::string text_of(const fs::path& file) {
    std::ifstream stream(file);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

void put(const fs::path& file, const std::string& text, mode_t mode) {
    std::ofstream(file) << text;
    ::chmod(file.c_str(), mode);
}

void make_folder(const fs::path& folder, mode_t mode) {
    fs::create_directory(folder);
    ::chmod(folder.c_str(), mode);
}

std::string random_word() {
    unsigned char bytes[16] = {};
    std::ifstream("/dev/urandom").read(reinterpret_cast<char*>(bytes), sizeof bytes);
    std::string word = "planted-";
    for (const unsigned char byte : bytes) word += fmt::format("{:02x}", byte);
    return word;
}

/// Files that an attempt has made in a folder which is everybody's.
bool remove_left(const fs::path& folder) {
    bool any = false;
    std::error_code failed;
    std::vector<fs::path> left;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
        if (at->path().filename().string().substr(0, 12) == "hostile-left") left.push_back(at->path());
    for (const fs::path& path : left) any = fs::remove_all(path, failed) > 0 || any;
    return any;
}

bool remove_all_in(const fs::path& folder) {
    std::error_code failed;
    std::vector<fs::path> found;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
        found.push_back(at->path());
    for (const fs::path& path : found) fs::remove_all(path, failed);
    return !found.empty();
}

/// State and parent in /proc/PID/stat, after the name in parentheses.
bool look_at(pid_t pid, char& state, pid_t& parent) {
    const std::string stat = text_of(fmt::format("/proc/{}/stat", pid));
    const std::size_t end = stat.rfind(')');
    if (end == std::string::npos) return false;
    std::istringstream fields(stat.substr(end + 1));
    return static_cast<bool>(fields >> state >> parent);
}

/// Our children, dead or alive: what lost its parent has become ours.
std::vector<pid_t> children_of_ours(bool dead) {
    std::vector<pid_t> children;
    std::error_code failed;
    for (fs::directory_iterator at("/proc", failed), end; !failed && at != end; at.increment(failed)) {
        const std::string name = at->path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        const pid_t pid = std::atoi(name.c_str());
        char state = 0;
        pid_t parent = 0;
        if (look_at(pid, state, parent) && parent == ::getpid() && (state == 'Z' || state == 'X') == dead)
            children.push_back(pid);
    }
    return children;
}

} // namespace

Ground::Ground() : secret_(random_word()), local_name_("assay-hostile-" + secret_.substr(8, 12)) {
    std::string name = (fs::temp_directory_path() / "assay-hostile-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for hostile attempts could be made");
    folder_ = name;
    ::chmod(folder_.c_str(), 0755);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (const char* open : {"drop", "tmp"}) make_folder(folder_ / open, 01777);
    for (const char* ours : {"work", "submissions", "home"}) make_folder(folder_ / ours, 0755);
    make_folder(folder_ / "private", 0700);
    put(folder_ / "private" / "secret.txt", secret_ + " is private;\n", 0600);
    put(folder_ / "public.txt", secret_ + " is public;\n", 0644);
    plant();
    open_ports();
    start_bystander();
    mounts_ = text_of("/proc/self/mountinfo");
}

Ground::~Ground() {
    for (const int fd : {stream_, datagram_, local_})
        if (fd >= 0) ::close(fd);
    if (bystander_ > 0) {
        ::kill(bystander_, SIGKILL);
        ::waitpid(bystander_, nullptr, 0);
    }
    ::prctl(PR_SET_CHILD_SUBREAPER, 0);
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

void Ground::plant() { put(folder_ / "victim.txt", "untouched\n", 0644); }

void Ground::open_ports() {
    sockaddr_in any{};
    any.sin_family = AF_INET;
    any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof any;
    stream_ = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    datagram_ = ::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    local_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    auto* address = reinterpret_cast<sockaddr*>(&any);
    bool good = ::bind(stream_, address, length) == 0 && ::listen(stream_, 8) == 0 &&
                ::getsockname(stream_, address, &length) == 0;
    port_ = ntohs(any.sin_port);
    good = good && ::bind(datagram_, address, length) == 0;
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    std::memcpy(name.sun_path + 1, local_name_.data(), local_name_.size());
    good = good &&
           ::bind(local_, reinterpret_cast<sockaddr*>(&name),
                  static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + local_name_.size())) == 0 &&
           ::listen(local_, 8) == 0;
    if (!good) throw std::runtime_error(std::string("no ports for hostile attempts: ") + std::strerror(errno));
}

void Ground::start_bystander() {
    bystander_ = ::fork();
    if (bystander_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::execl("/bin/sleep", "sleep", "100000", nullptr);
    ::_exit(127);
}

fs::path Ground::lay(const Program& program) {
    const fs::path folder = folder_ / "submissions" / std::to_string(++laid_);
    make_folder(folder, 0755);
    const auto secret = [&](const std::string& which) {
        return which == "public" ? folder_ / "public.txt" : folder_ / "private" / "secret.txt";
    };
    for (const auto& [name, which] : program.links) fs::create_symlink(secret(which), folder / name);
    for (const std::string& name : program.pipes) ::mkfifo((folder / name).c_str(), 0666);
    fs::copy_file(program.file.parent_path().parent_path() / "honest.h", folder / "honest.h");
    std::ofstream(folder / "bait.h") << fmt::format("#define BAIT_FOLDER \"{0}\"\n"
                                                    "#define BAIT_PUBLIC \"{0}/public.txt\"\n"
                                                    "#define BAIT_PRIVATE \"{0}/private/secret.txt\"\n"
                                                    "#define BAIT_VICTIM \"{0}/victim.txt\"\n"
                                                    "#define BAIT_DROP \"{0}/drop\"\n"
                                                    "#define BAIT_PORT {1}\n"
                                                    "#define BAIT_SOCKET \"{2}\"\n"
                                                    "#define BAIT_BYSTANDER {3}\n",
                                                    folder_.string(), port_, local_name_, bystander_);
    const fs::path source = folder / program.laid_as;
    if (!program.source_link.empty())
        fs::create_symlink(secret(program.source_link), source);
    else if (program.source_pipe)
        ::mkfifo(source.c_str(), 0666);
    else
        std::ofstream(source) << laid_text(program);
    return source;
}

bool Ground::spoken_to() {
    bool any = false;
    for (const int server : {stream_, local_})
        for (int peer; (peer = ::accept(server, nullptr, nullptr)) >= 0;) {
            any = true;
            ::close(peer);
        }
    char byte;
    while (::recv(datagram_, &byte, 1, MSG_TRUNC) >= 0) any = true;
    return any;
}

bool Ground::files_changed() {
    const fs::path victim = folder_ / "victim.txt";
    struct stat status {};
    bool any =
        ::lstat(victim.c_str(), &status) != 0 || (status.st_mode & 07777) != 0644 || text_of(victim) != "untouched\n";
    if (any) plant();
    for (const char* ours : {"drop", "tmp", "work"}) any = remove_all_in(folder_ / ours) || any;
    std::error_code failed;
    for (fs::directory_iterator at(folder_, failed), end; !failed && at != end; at.increment(failed))
        if (at->path().filename().string().substr(0, 6) == "cache-") any = remove_left(at->path() / "attempts") || any;
    for (const char* everybodys : {"/tmp", "/var/tmp"}) any = remove_left(everybodys) || any;
    return any;
}

bool Ground::memory_left() {
    bool any = remove_left("/dev/shm");
    if (const int segment = ::shmget(left_key, 1, 0); segment >= 0) any = ::shmctl(segment, IPC_RMID, nullptr) == 0;
    if (const int queue = ::msgget(left_key, 0); queue >= 0) any = ::msgctl(queue, IPC_RMID, nullptr) == 0;
    if (const int set = ::semget(left_key, 1, 0); set >= 0) any = ::semctl(set, 0, IPC_RMID) == 0;
    if (::syscall(SYS_mq_unlink, "hostile-left") == 0) any = true;
    return any;
}

/// Reaps what has ended; how many.
int Ground::reap() {
    int reaped = 0;
    for (const pid_t pid : children_of_ours(true))
        if (pid != bystander_ && ::waitpid(pid, nullptr, WNOHANG) == pid) ++reaped;
    return reaped;
}

bool Ground::processes_left() {
    // What the judge has already killed may take a moment to be gone. A chain of processes, each of which starts the
    // next and ends, is never seen by a look at one moment: what it leaves is a row of dead children.
    const auto start = std::chrono::steady_clock::now();
    bool quiet = false;
    while (!quiet && std::chrono::steady_clock::now() - start < std::chrono::seconds(2)) {
        reap();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        quiet = reap() == 0 && children_of_ours(false) == std::vector<pid_t>{bystander_};
    }
    const bool any = !quiet;
    while (!quiet && std::chrono::steady_clock::now() - start < std::chrono::seconds(60)) {
        for (const pid_t pid : children_of_ours(false))
            if (pid != bystander_) ::kill(pid, SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        quiet = reap() == 0 && children_of_ours(false) == std::vector<pid_t>{bystander_};
    }
    return any;
}

Effects Ground::effects() {
    Effects effects;
    const bool hurt = ::waitpid(bystander_, nullptr, WNOHANG) != 0;
    if (hurt) start_bystander();
    if (processes_left()) effects.insert("process"); // first: it could go on doing the others
    if (spoken_to()) effects.insert("peer");
    if (files_changed()) effects.insert("file");
    if (memory_left()) effects.insert("memory");
    if (hurt) effects.insert("victim");
    if (const std::string mounts = text_of("/proc/self/mountinfo"); mounts != mounts_) {
        effects.insert("mount");
        mounts_ = mounts;
    }
    return effects;
}

bool holds_escapes(const std::string& text) {
    return std::any_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && c != '\n') || byte == 0x7f;
    });
}

} // namespace assay::hostile
