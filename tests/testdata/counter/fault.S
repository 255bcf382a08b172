# 13 instructions are counted: 6 up to the first system call, 3 before the one that fails, 4 in the handler; the 3 of the
# block that ends the process are not.
.globl _start
_start:
  mov $13, %eax          # rt_sigaction(SIGSEGV, &action, 0, 8)
  mov $11, %edi
  lea action(%rip), %rsi
  xor %edx, %edx
  mov $8, %r10d
  syscall
  xor %ebx, %ebx
  inc %ebx
  inc %ebx
  mov 0, %rcx            # fails, and never runs
  inc %ebx
  inc %ebx
  jmp _start
handler:
  inc %ebx
  inc %ebx
  inc %ebx
  jmp end
end:
  mov $60, %eax
  xor %edi, %edi
  syscall
.data
action: .quad handler, 0x44000004, restorer, 0   # SA_NODEFER | SA_RESTORER | SA_SIGINFO
restorer: .quad 0
