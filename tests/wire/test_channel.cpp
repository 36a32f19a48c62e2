// Message boundaries, closing, and length limits of the channel.
#include "catch.hpp"
#include "wire/channel.hpp"

#include <sys/socket.h>
#include <unistd.h>

using namespace assay;

TEST_CASE("messages arrive whole and in order") {
    const auto [left, right] = make_channel();
    REQUIRE(left >= 0);
    const std::vector<char> one{'a', 'b'}, two{'c'};
    CHECK(send_message(left, one));
    CHECK(send_message(left, two));
    std::vector<char> got;
    CHECK(receive_message(right, got, true) == Received::message);
    CHECK(got == one);
    CHECK(receive_message(right, got, true) == Received::message);
    CHECK(got == two);
    CHECK(receive_message(right, got, false) == Received::nothing);
    ::close(left);
    CHECK(receive_message(right, got, true) == Received::closed);
    CHECK_FALSE(send_message(right, one)); // and no SIGPIPE
    ::close(right);
}

TEST_CASE("a message longer than allowed is refused on both sides") {
    const auto [left, right] = make_channel();
    std::vector<char> large(longest_message + 1, 'x');
    CHECK_FALSE(send_message(left, large));
    REQUIRE(::send(left, large.data(), large.size(), 0) == static_cast<ssize_t>(large.size()));
    std::vector<char> got;
    CHECK(receive_message(right, got, true) == Received::too_long);
    ::close(left);
    ::close(right);
}
