/* Counting cases: what the test programs share. */
#ifndef TEST_H
#define TEST_H

/* Starts a case. A case that no CHECK failed has passed. */
void test_begin(const char *name);
void test_failed(const char *file, int line, const char *what);

/* Prints "GROUP: N passed, M failed" and starts over. Returns M, or 1 if there were no cases. */
int test_report(const char *group);

#define CHECK(holds) ((holds) ? (void)0 : test_failed(__FILE__, __LINE__, #holds))

#endif
