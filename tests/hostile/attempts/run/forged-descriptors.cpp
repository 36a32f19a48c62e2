// Attack: sends descriptors along with its messages, to use up the judge's.
// Expect: AC
// Expect at limits: WA RTE AC
#include "honest.h"
#include <string.h>
#include <sys/socket.h>
void attack() {
    char text[] = "\xd3\0\0\0\0\0\0\0\0\xa0\xa0", space[CMSG_SPACE(sizeof(int[200]))] = {};
    iovec data{text, sizeof text - 1};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = space;
    message.msg_controllen = sizeof space;
    cmsghdr* head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int[200]));
    for (int i = 0; i < 200; ++i) reinterpret_cast<int*>(CMSG_DATA(head))[i] = 1;
    for (int i = 0; i < 50; ++i) ::sendmsg(3, &message, MSG_DONTWAIT);
}
