// The child: loads one attempt and serves contract calls until the judge closes the channel. It knows the wire and the
// contract, nothing of oracles, cases or verdicts: whatever it held, the attempt could read.
//
// usage: worker [--timed] LIBRARY   (channel and arena at the descriptors of wire/protocol.hpp)
#include "wire/channel.hpp"
#include "wire/protocol.hpp"
#include "worker/device_turns.hpp"
#include "worker/glue.hpp"
#include "worker/gradient.hpp"
#include "worker/signals.hpp"

#include <algorithm>
#include <cerrno>
#include <cfenv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <dlfcn.h>
#include <exception>
#include <fcntl.h>
#include <iostream>
#include <new>
#include <sys/mman.h>
#include <sys/stat.h>
#include <typeinfo>
#include <unistd.h>

namespace {

using namespace assay;

using Function = void (*)();

struct Arena {
    std::byte* base = nullptr;
    std::size_t bytes = 0;
};

bool map_arena(Arena& arena) {
    struct stat status {};
    if (::fstat(arena_descriptor, &status) != 0 || status.st_size < page_bytes) return false;
    arena.bytes = static_cast<std::size_t>(status.st_size);
    void* mapped = ::mmap(nullptr, arena.bytes, PROT_NONE, MAP_SHARED, arena_descriptor, 0);
    if (mapped == MAP_FAILED) return false;
    arena.base = static_cast<std::byte*>(mapped);
    return ::mprotect(arena.base, page_bytes, PROT_READ | PROT_WRITE) == 0;
}

/// AddressSanitizer's own functions, where it was loaded before us.
struct Poisoning {
    using Mark = void (*)(const volatile void*, std::size_t);
    Mark poison = reinterpret_cast<Mark>(::dlsym(RTLD_DEFAULT, "__asan_poison_memory_region"));
    Mark unpoison = reinterpret_cast<Mark>(::dlsym(RTLD_DEFAULT, "__asan_unpoison_memory_region"));
    bool there() const { return poison != nullptr && unpoison != nullptr; }
};

/// The regions that can be touched: those of the latest call. Closing them after each call would cost more system calls
/// than the calls themselves, and most calls have the regions of the one before.
class OpenRegions {
  public:
    explicit OpenRegions(const Arena& arena) : arena_(arena) {}

    void change_to(const std::vector<Region>& regions) {
        for (const Region& region : open_) {
            if (poisoning_.there()) poisoning_.unpoison(at(region.offset), static_cast<std::size_t>(region.length));
            if (!holds(regions, region)) protect(region, PROT_NONE);
        }
        for (const Region& region : regions) {
            if (!holds(open_, region)) protect(region, PROT_READ | PROT_WRITE);
            if (!poisoning_.there()) continue;
            poisoning_.poison(at(region.offset), static_cast<std::size_t>(region.length));
            poisoning_.unpoison(at(region.data), static_cast<std::size_t>(region.data_length));
        }
        open_ = regions;
    }

  private:
    static bool holds(const std::vector<Region>& regions, const Region& wanted) {
        return std::any_of(regions.begin(), regions.end(), [&](const Region& region) {
            return region.offset == wanted.offset && region.length == wanted.length;
        });
    }
    std::byte* at(std::int64_t offset) const { return arena_.base + offset; }
    void protect(const Region& region, int how) {
        ::mprotect(at(region.offset), static_cast<std::size_t>(region.length), how);
    }

    const Arena& arena_;
    Poisoning poisoning_;
    std::vector<Region> open_;
};

std::vector<Region> read_regions(Reader& reader, const Arena& arena) {
    const auto bytes = static_cast<std::int64_t>(arena.bytes);
    const auto count = static_cast<std::size_t>(reader.integer(0, most_regions));
    std::vector<Region> regions(count);
    for (Region& region : regions) {
        region.offset = reader.integer(page_bytes, bytes);
        region.length = reader.integer(0, bytes);
        region.data = reader.integer(page_bytes, bytes);
        region.data_length = reader.integer(0, bytes);
        if (region.offset % page_bytes != 0 || region.length % page_bytes != 0 ||
            region.length > bytes - region.offset || region.data < region.offset ||
            region.data_length > region.length - (region.data - region.offset))
            reader.fail("a region does not lie within the arena");
    }
    return regions;
}

void flush_prints() {
    std::cout.flush();
    std::cerr.flush();
    std::clog.flush();
    std::fflush(nullptr);
}

void say(Status status, std::string_view type = {}, std::string_view text = {}, std::span<const char> results = {}) {
    flush_prints();
    Writer writer;
    writer.integer(static_cast<std::int64_t>(status));
    writer.text(type.substr(0, 1000));
    writer.text(text.substr(0, 4000));
    std::vector<char> bytes(writer.bytes().begin(), writer.bytes().end());
    bytes.insert(bytes.end(), results.begin(), results.end());
    if (!send_message(channel_descriptor, bytes)) ::_exit(0);
}

/// The judge's clock runs from its answer to what end_turn() says.
void begin_turn() {
    Writer writer;
    writer.integer(static_cast<std::int64_t>(Turn::ready));
    std::vector<char> go;
    if (!send_message(channel_descriptor, writer.bytes()) ||
        receive_message(channel_descriptor, go, true) != Received::message)
        ::_exit(0);
}

void end_turn(double events, double host) {
    Writer writer;
    writer.integer(static_cast<std::int64_t>(Turn::over));
    writer.number(events);
    writer.number(host);
    if (!send_message(channel_descriptor, writer.bytes())) ::_exit(0);
}

/// False where the library's calls run on no device.
bool hand_over_turns(void* library) {
    static constexpr DeviceTurns turns{begin_turn, end_turn};
    const auto take = reinterpret_cast<void (*)(const DeviceTurns*)>(::dlsym(library, device_turns_symbol));
    if (take != nullptr) take(&turns);
    return take != nullptr;
}

std::string current_exception_type() {
    const std::type_info* type = abi::__cxa_current_exception_type();
    if (type == nullptr) return "an exception of unknown type";
    int status = 0;
    char* readable = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
    std::string name = readable != nullptr ? readable : type->name();
    std::free(readable);
    return name;
}

void serve_call(std::span<const char> message, const Arena& arena, OpenRegions& open, const Function* table) {
    Reader reader(message);
    const std::vector<Region> regions = read_regions(reader, arena);
    const auto functions = glue_functions();
    const auto index = static_cast<std::size_t>(reader.integer(0, static_cast<std::int64_t>(functions.size())));
    if (!reader.ok()) return say(Status::bad_message, "", reader.error());
    if (index == functions.size()) { // the empty call
        open.change_to(regions);
        return say(Status::done);
    }
    const Function address = functions[index].method ? nullptr : table[index];
    if (address == nullptr && !functions[index].method) return say(Status::missing, "", functions[index].name);
    const ArenaView view{arena.base, regions};
    open.change_to(regions);
    // An attempt may have changed rounding or flushed subnormals, even by being loaded (-ffast-math): start clean.
    std::fesetenv(FE_DFL_ENV);
    errno = 0;
    the_tape().clear();
    Writer results;
    try {
        functions[index].invoke(address, reader, view, results);
    } catch (const std::bad_alloc& error) {
        return say(Status::no_memory, current_exception_type(), error.what());
    } catch (const std::exception& error) {
        return say(Status::exception, current_exception_type(), error.what());
    } catch (const abi::__forced_unwind&) {
        throw; // thread cancellation must go on
    } catch (...) {
        return say(Status::exception, current_exception_type(), "");
    }
    if (!reader.ok()) return say(Status::bad_message, "", reader.error());
    if (results.bytes().size() > longest_message - 16)
        return say(Status::exception, "std::length_error",
                   "it answered with longer lists than fit one answer (64 KiB)");
    say(Status::done, "", "", results.bytes());
}

void say_hello(const Function* table, std::string_view load_error) {
    Writer writer;
    writer.integer(protocol_version);
    if (table == nullptr) {
        writer.integer(-1);
        writer.text(load_error.substr(0, 4000));
    } else {
        const auto functions = glue_functions();
        writer.integer(static_cast<std::int64_t>(functions.size()));
        for (std::size_t i = 0; i < functions.size(); ++i) writer.boolean(functions[i].method || table[i] != nullptr);
    }
    flush_prints();
    if (!send_message(channel_descriptor, writer.bytes())) ::_exit(0);
}

} // namespace

int main(int count, char** arguments) {
    const bool timed = count == 3 && std::strcmp(arguments[1], timed_option) == 0;
    if ((count != 2 && !timed) || ::fcntl(channel_descriptor, F_GETFD) < 0) {
        std::fputs("this program is started by assay, not by hand\n", stderr);
        return 2;
    }
    ::fcntl(channel_descriptor, F_SETFD, FD_CLOEXEC);
    ::fcntl(arena_descriptor, F_SETFD, FD_CLOEXEC);
    std::setvbuf(stdout, nullptr, _IOLBF, 4096); // a crash should not swallow what was printed before it
    Arena arena;
    if (!map_arena(arena)) return 4;
    OpenRegions open(arena);
    if (!Poisoning().there()) // a sanitiser reports crashes better than we do
        note_crashes(reinterpret_cast<ControlPage*>(arena.base), arena.base, arena.bytes);

    void* library = ::dlopen(arguments[count - 1], RTLD_NOW | RTLD_LOCAL);
    const void* table = library != nullptr ? ::dlsym(library, entry_symbol) : nullptr;
    const char* error = table == nullptr ? ::dlerror() : nullptr;
    if (table != nullptr && timed && !hand_over_turns(library)) {
        table = nullptr;
        error = "it was not built for a device, where its calls could be timed";
    }
    say_hello(static_cast<const Function*>(table), error != nullptr ? error : "");
    if (table == nullptr) ::_exit(0);

    std::vector<char> message;
    while (receive_message(channel_descriptor, message, true) == Received::message)
        serve_call(message, arena, open, static_cast<const Function*>(table));
    ::_exit(0); // no destructors of the attempt: it is done
}
