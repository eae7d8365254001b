/* table.h: every known way out of such a sandbox, one row each, with what becomes of it. The tests
 * try each row; the manual says what each row says. No guard: it is included more than once.
 *
 *   TOPIC(ID, TEXT)                               what a list in the manual is about
 *   CLOSED(NAME, SINCE, WHO, TOPIC, WORDS, …)     closed whatever the options, from that ABI on
 *   OPTION(NAME, SINCE, WHO, OPTION, WORDS, …)    closed by the option, from that ABI on
 *   OPEN(NAME, WHO, TOPIC, WORDS, …)              open, whatever the options
 *
 * … are fields of struct escape. The words of all rows under a topic or an option make one
 * sentence, with a semicolon before words that do not go on with a comma or a space; `kill(2)`,
 * `--option` and
 * `/path` in them are marked up. */

/* ---- Files ---- */

TOPIC(FILES, "Files outside the grants")
CLOSED(creating_a_file, 1, ANYONE, FILES, "Files that are created", .trace = true)
CLOSED(writing_a_file, 1, ANYONE, FILES, ", written", .trace = true)
CLOSED(deleting_a_file, 1, ANYONE, FILES, ", deleted", .trace = true)
CLOSED(making_a_nameless_file, 1, ANYONE, FILES, " or made with O_TMPFILE", .trace = true)
CLOSED(making_a_directory, 1, ANYONE, FILES, "directories that are made", .trace = true)
CLOSED(deleting_a_directory, 1, ANYONE, FILES, " or deleted", .trace = true)
CLOSED(making_a_symbolic_link, 1, ANYONE, FILES, "symbolic links", .trace = true)
CLOSED(making_a_socket, 1, ANYONE, FILES, ", sockets", .trace = true)
CLOSED(making_a_device, 1, PRIVILEGED, FILES, ", devices", .trace = true)
CLOSED(making_a_pipe, 1, ANYONE, FILES, ", named pipes that are made", .trace = true)
CLOSED(writing_to_a_pipe, 1, ANYONE, FILES, " or written to", .trace = true)
CLOSED(moving_a_file_into_the_workspace, 1, ANYONE, FILES, "rename(2) into a writable grant",
       .trace = true)
CLOSED(moving_a_file_out_of_the_workspace, 1, ANYONE, FILES, ", out of it", .trace = true)
CLOSED(exchanging_with_a_file_in_the_workspace, 1, ANYONE, FILES, " and with RENAME_EXCHANGE",
       .trace = true)
CLOSED(linking_a_file_into_the_workspace, 1, ANYONE, FILES, ", link(2) into it", .trace = true)
CLOSED(following_a_link_in_the_workspace, 1, ANYONE, FILES, ", symbolic links that lead out of it",
       .trace = true)
CLOSED(walking_up_from_the_workspace, 1, ANYONE, FILES, ", paths with ..", .trace = true)
CLOSED(writing_through_a_path_of_proc_self, 1, ANYONE, FILES, ", /proc/self/root", .trace = true)
CLOSED(writing_with_io_uring, 1, ANYONE, FILES, "the same by io_uring", .trace = true)
CLOSED(writing_with_a_32_bit_call, 1, ANYONE, FILES, ", 32-bit", .trace = true)
CLOSED(writing_with_an_x32_call, 1, ANYONE, FILES, " and x32 system calls", .trace = true)
CLOSED(opening_by_handle, 1, PRIVILEGED, FILES, ", open_by_handle_at(2)", .trace = true)
CLOSED(writing_to_a_file_that_fanotify_opened, 1, PRIVILEGED, FILES,
       ", the descriptors of fanotify(7)", .trace = true)
CLOSED(writing_shared_memory_with_a_name, 1, ANYONE, FILES, ", shm_open(3)", .trace = true)
CLOSED(sending_to_a_message_queue, 1, ANYONE, FILES, ", mq_open(3) of a queue that exists",
       .trace = true)
CLOSED(leaving_a_job_in_a_spool, 1, ANYONE, FILES, "jobs in the spools of cron(8) and at(1)",
       .trace = true)
CLOSED(dumping_core, 1, ANYONE, FILES, "core dumps", .trace = true, .silent = true)
CLOSED(truncating_a_file, 3, ANYONE, FILES,
       "Emptying any file that the user may write, by truncate(2)", .trace = true)
CLOSED(opening_with_truncation, 3, ANYONE, FILES, " and by O_TRUNC with O_RDONLY", .trace = true)
OPTION(reading_files, 1, ANYONE, "--ro",
       "Reading, where it grants less than /: files, the secrets of the user among them",
       .closed = GRANTS_NOTHING)
OPTION(listing_directories, 1, ANYONE, "--ro", "the names in directories", .closed = GRANTS_NOTHING)
OPTION(listing_processes, 1, ANYONE, "--ro",
       "which processes run and with what arguments, in /proc/PID/cmdline",
       .closed = GRANTS_NOTHING)
OPTION(reading_a_disk, 1, PRIVILEGED, "--ro", "disks as a whole", .closed = GRANTS_NOTHING)
OPTION(changing_the_files_of_others_in_tmp, 1, ANYONE, "--mode read-only --rw",
       "The files of other programs in /tmp, which workspace-write grants",
       .closed = "--mode read-only --rw WORKSPACE", .trace = true)

TOPIC(SEEING, "What exists, also where nothing is granted")
OPEN(looking_at_metadata, ANYONE, SEEING, "Metadata by stat(2)", .grants = GRANTS_NOTHING)
OPEN(looking_at_attributes, ANYONE, SEEING, " and listxattr(2)", .grants = GRANTS_NOTHING)
OPEN(looking_at_links, ANYONE, SEEING, "the targets of links by readlink(2)",
     .grants = GRANTS_NOTHING)
OPEN(looking_at_file_systems, ANYONE, SEEING, "statfs(2)", .grants = GRANTS_NOTHING)
OPEN(asking_for_a_handle, ANYONE, SEEING, ", name_to_handle_at(2)", .grants = GRANTS_NOTHING)
OPEN(naming_with_a_path_descriptor, ANYONE, SEEING, ", O_PATH", .grants = GRANTS_NOTHING)
OPEN(entering_directories, ANYONE, SEEING, " and chdir(2)", .grants = GRANTS_NOTHING)
OPEN(watching_with_inotify, ANYONE, SEEING, "that something happens to a file, by inotify(7)",
     .grants = GRANTS_NOTHING)

/* ---- Metadata ---- */

OPTION(changing_modes, 1, ANYONE, "--guard metadata",
       "Metadata of files that the user may change anyway: the mode by chmod(2)", .trace = true)
OPTION(changing_modes_with_fchmod, 1, ANYONE, "--guard metadata", ", fchmod(2)", .trace = true)
OPTION(changing_modes_with_a_32_bit_call, 1, ANYONE, "--guard metadata", " and 32-bit calls",
       .trace = true)
OPTION(changing_owners, 1, AS_ROOT, "--guard metadata", "the owner by chown(2)", .trace = true)
OPTION(changing_groups, 1, ANYONE, "--guard metadata", "the group by lchown(2)", .trace = true)
OPTION(changing_times, 1, ANYONE, "--guard metadata", "times by utimensat(2)", .trace = true)
OPTION(setting_attributes, 1, ANYONE, "--guard metadata", "extended attributes by setxattr(2)",
       .trace = true)
OPTION(setting_attributes_with_io_uring, 1, ANYONE, "--guard metadata", ", io_uring", .trace = true,
       .hidden = true)
OPTION(removing_attributes, 1, ANYONE, "--guard metadata", " and removexattr(2)", .trace = true)
OPTION(setting_access_lists, 1, ANYONE, "--guard metadata", "access control lists", .trace = true)
OPTION(setting_inode_flags, 1, ANYONE, "--guard metadata", "inode flags by chattr(1)",
       .trace = true)
OPTION(setting_inode_flags_with_file_setattr, 1, ANYONE, "--guard metadata", " and file_setattr(2)",
       .trace = true)

/* ---- Descriptors ---- */

TOPIC(DESCRIPTORS, "Descriptors")
CLOSED(writing_beneath_an_inherited_directory, 1, ANYONE, DESCRIPTORS,
       "Files beneath an inherited directory", .prepare = with_directory, .trace = true)
CLOSED(reopening_an_inherited_path, 1, ANYONE, DESCRIPTORS, "an inherited O_PATH",
       .prepare = with_path, .trace = true)
CLOSED(reopening_an_inherited_reader, 1, ANYONE, DESCRIPTORS,
       " or O_RDONLY reopened for writing by /proc/self/fd", .prepare = with_reader, .trace = true)
CLOSED(linking_an_inherited_reader_into_the_workspace, 1, ANYONE, DESCRIPTORS,
       ", or linked into a writable grant", .prepare = with_reader, .trace = true)
OPTION(writing_to_an_inherited_file, 1, ANYONE, "--close-fds",
       "Descriptors that were open before: a file keeps its access mode", .prepare = with_file,
       .trace = true)
OPTION(asking_a_daemon_by_an_inherited_socket, 1, ANYONE, "--close-fds", "a socket stays connected",
       .prepare = with_stream, .trace = true)
OPTION(receiving_a_descriptor_by_an_inherited_socket, 1, ANYONE, "--close-fds",
       " and receives descriptors by SCM_RIGHTS", .prepare = with_passer, .trace = true)
OPTION(using_an_inherited_io_uring, 1, ANYONE, "--close-fds",
       "an io_uring acts with credentials that were registered before", .prepare = with_ring,
       .trace = true)

TOPIC(STREAMS, "Standard input, output and error")
OPEN(writing_to_the_standard_output, ANYONE, STREAMS,
     "The files, pipes and sockets behind descriptors 0 to 2 stay what the caller made them",
     .prepare = with_output, .trace = true)

TOPIC(LINKS, "Hard links")
OPEN(writing_to_a_hard_link_in_the_workspace, ANYONE, LINKS,
     "A file in a writable grant that has another name outside is one file", .trace = true)

/* ---- Terminals ---- */

OPTION(typing_into_the_terminal, 1, ANYONE, "--guard tty",
       "Typing into an inherited terminal by TIOCSTI, on kernels that allow it",
       .prepare = with_terminal, .trace = true)
OPTION(pasting_into_the_console, 1, PRIVILEGED, "--guard tty", "TIOCLINUX on a console",
       .prepare = with_console)

TOPIC(DEVICES, "Devices")
CLOSED(writing_to_another_terminal, 1, ANYONE, DEVICES, "The user's other terminals", .trace = true)
CLOSED(writing_to_a_device, 1, ANYONE, DEVICES, "devices opened for writing")
CLOSED(writing_to_a_disk, 1, PRIVILEGED, DEVICES, ", disks")
CLOSED(writing_to_the_memory_device, 1, PRIVILEGED, DEVICES, " and /dev/mem among them")
CLOSED(controlling_a_device, 5, ANYONE, DEVICES,
       "ioctl(2) on devices that may be opened for reading")
CLOSED(controlling_loop_devices, 5, PRIVILEGED, DEVICES, ", /dev/loop-control among them")
OPTION(making_a_device_in_the_workspace, 1, PRIVILEGED, "--allow",
       "Device nodes made in a writable grant: --rw grants make-char and make-block, and so every"
       " disk; name the other rights instead",
       .closed = "--mode read-only --allow"
		 " write-file,read-file,read-dir,make-reg,make-dir,remove-file:WORKSPACE")

TOPIC(GRANTED, "What --devices opens")
OPEN(writing_to_another_terminal_with_devices, ANYONE, GRANTED,
     "The user's other terminals in /dev/pts, for writing", .grants = GRANTS_MODE " --devices",
     .trace = true)

/* ---- Sockets ---- */

OPTION(asking_a_daemon_by_a_socket_with_a_path, 9, ANYONE, "--resolve-unix none",
       "Services that act outside for whoever reaches their socket: Docker, D-Bus, systemd, tmux,"
       " X11",
       .trace = true)
OPTION(sending_to_a_daemon_by_a_socket_with_a_path, 9, ANYONE, "--resolve-unix none",
       ", with datagrams too, as syslog(3)", .trace = true)
OPTION(receiving_a_descriptor_from_a_daemon, 9, ANYONE, "--resolve-unix none",
       "files that they open and pass on", .trace = true)
OPTION(asking_a_daemon_by_an_abstract_socket, 6, ANYONE, "--scope abstract-unix-socket",
       "The same services, where their socket is an abstract one", .trace = true)
OPTION(sending_to_a_daemon_by_an_abstract_socket, 6, ANYONE, "--scope abstract-unix-socket",
       ", with datagrams too", .trace = true)
OPTION(connecting_by_tcp, 4, ANYONE, "--connect-tcp none", "TCP connections", .trace = true)
OPTION(connecting_by_tcp_over_ipv6, 4, ANYONE, "--connect-tcp none", ", over IPv6", .trace = true)
OPTION(connecting_by_tcp_with_io_uring, 4, ANYONE, "--connect-tcp none", " and with io_uring too",
       .trace = true)
OPTION(connecting_by_tcp_fast_open, 4, ANYONE, "--connect-tcp none", ", and with TCP Fast Open",
       .trace = true, .certain = 10)
OPTION(serving_by_tcp, 4, ANYONE, "--bind-tcp none", "TCP servers on a port of their choice")
OPTION(sending_by_udp, 10, ANYONE, "--connect-send-udp none", "UDP datagrams", .trace = true)
OPTION(connecting_by_udp, 10, ANYONE, "--connect-send-udp none", ", also after connect(2)",
       .trace = true)
OPTION(serving_by_udp, 10, ANYONE, "--bind-udp none", "UDP servers")

TOPIC(NETWORK, "The network beside the options for TCP and UDP")
OPEN(connecting_by_mptcp, ANYONE, NETWORK,
     "Multipath TCP, which reaches ordinary TCP servers and so goes round --connect-tcp",
     .trace = true)
OPEN(serving_by_tcp_without_a_port, ANYONE, NETWORK,
     "listen(2) on a port of the kernel's choice, which goes round --bind-tcp")
OPEN(connecting_by_smc, ANYONE, NETWORK, "SMC", .trace = true)
OPEN(connecting_by_sctp, ANYONE, NETWORK, ", SCTP", .trace = true)
OPEN(sending_by_udplite, ANYONE, NETWORK, ", UDP-Lite", .trace = true)
OPEN(pinging, ANYONE, NETWORK, ", ping(8)", .prepare = with_pings)
OPEN(reading_the_network_by_netlink, ANYONE, NETWORK, ", netlink(7)")
OPEN(serving_by_vsock, ANYONE, NETWORK, " and vsock(7)")
OPEN(sending_by_a_raw_socket, PRIVILEGED, NETWORK,
     "Raw sockets, raw(7), which send UDP past --connect-send-udp", .trace = true)
OPEN(listening_by_a_packet_socket, PRIVILEGED, NETWORK, "packets by packet(7)")
OPEN(configuring_the_network, PRIVILEGED, NETWORK, "the network's configuration",
     .prepare = with_network)

/* ---- Programs ---- */

TOPIC(PROGRAMS, "Programs")
CLOSED(executing_what_may_only_be_read, 1, ANYONE, PROGRAMS, "execve(2) of what may only be read",
       .grants = GRANTS_READING, .prepare = with_program)
CLOSED(executing_a_descriptor, 1, ANYONE, PROGRAMS, " and execveat(2) of its descriptor",
       .grants = GRANTS_READING, .prepare = with_program)
CLOSED(gaining_by_a_set_user_id_program, 1, AS_ROOT, PROGRAMS, "set-user-ID programs",
       .prepare = with_set_user_id)
CLOSED(gaining_by_a_set_user_id_program_of_the_system, 1, AS_USER, PROGRAMS,
       ", those of root among them")
CLOSED(running_code_by_bash_env, 1, ANYONE, PROGRAMS, "what BASH_ENV makes bash(1) do",
       .trace = true, .silent = true)
CLOSED(running_code_by_ld_preload, 1, ANYONE, PROGRAMS,
       " and LD_PRELOAD any program, the launcher included", .prepare = with_preload, .trace = true,
       .silent = true)
CLOSED(launching_again_without_confinement, 1, ANYONE, PROGRAMS,
       "the launcher again, inside itself and with danger-full-access", .trace = true)

TOPIC(CODE, "Running what may be read, without execute")
OPEN(running_a_program_from_memory, ANYONE, CODE, "Programs copied to memfd_create(2)",
     .grants = GRANTS_READING)
OPEN(mapping_code, ANYONE, CODE, "the code of any file by mmap(2)", .grants = GRANTS_READING,
     .prepare = with_code)
OPEN(running_a_program_by_the_loader, ANYONE, CODE, "programs by their loader ld.so(8)",
     .grants = GRANTS_LIBRARIES)
OPEN(running_a_script_by_its_interpreter, ANYONE, CODE, "scripts by their interpreter",
     .grants = GRANTS_PROGRAMS, .prepare = with_script)

TOPIC(LATER, "What takes effect later")
OPEN(leaving_a_hook_in_the_workspace, ANYONE, LATER,
     "Hooks, build scripts and configuration in a writable grant run unconfined when somebody"
     " uses them outside",
     .trace = true)
OPEN(leaving_a_process_behind, ANYONE, LATER,
     "processes that the command leaves behind go on, confined, --die-with-parent or not",
     .trace = true)

TOPIC(RESOURCES, "Resources")
OPEN(using_memory_and_processes, ANYONE, RESOURCES, "Processor time, memory and processes")
OPEN(filling_the_workspace, ANYONE, RESOURCES, "disk space in a writable grant", .trace = true)

/* ---- Other processes ---- */

TOPIC(PROCESSES, "Other processes")
CLOSED(attaching_with_ptrace, 1, ANYONE, PROCESSES, "Tracing by ptrace(2), with PTRACE_ATTACH")
CLOSED(seizing_with_ptrace, 1, ANYONE, PROCESSES, " and PTRACE_SEIZE")
CLOSED(reading_memory_with_process_vm_readv, 1, ANYONE, PROCESSES,
       "their memory by process_vm_readv(2)")
CLOSED(writing_memory_with_process_vm_writev, 1, ANYONE, PROCESSES, ", process_vm_writev(2)",
       .trace = true)
CLOSED(writing_memory_through_proc, 1, ANYONE, PROCESSES, " and /proc/PID/mem", .trace = true)
CLOSED(reaching_files_through_proc_root, 1, ANYONE, PROCESSES, "their files by /proc/PID/root",
       .trace = true)
CLOSED(reaching_files_through_proc_cwd, 1, ANYONE, PROCESSES, ", /proc/PID/cwd", .trace = true)
CLOSED(reopening_descriptors_through_proc_fd, 1, ANYONE, PROCESSES, " and /proc/PID/fd",
       .trace = true)
CLOSED(reading_an_environment_through_proc, 1, AS_USER, PROCESSES,
       "/proc/PID/environ (for an ordinary user)")
CLOSED(entering_a_namespace_through_proc, 1, PRIVILEGED, PROCESSES,
       "their namespaces by setns(2) with /proc/PID/ns")
CLOSED(entering_a_namespace_through_a_pidfd, 1, PRIVILEGED, PROCESSES, " and with a pidfd")
CLOSED(taking_a_descriptor_with_pidfd_getfd, 1, ANYONE, PROCESSES,
       "their descriptors by pidfd_getfd(2)", .trace = true)
CLOSED(comparing_with_kcmp, 1, ANYONE, PROCESSES, "kcmp(2)")
CLOSED(sampling_a_process_with_perf, 1, AS_USER, PROCESSES,
       "perf_event_open(2) of them (for an ordinary user)")
CLOSED(choosing_what_the_kernel_kills, 1, ANYONE, PROCESSES, "/proc/PID/oom_score_adj",
       .trace = true)
OPTION(signalling_with_kill, 6, ANYONE, "--scope signal",
       "Signals to other processes of the same user, which end or disturb them: by kill(2)",
       .trace = true)
OPTION(signalling_a_group, 6, ANYONE, "--scope signal", ", to their process group", .trace = true,
       .silent = true)
OPTION(signalling_a_thread_with_tgkill, 6, ANYONE, "--scope signal", ", tgkill(2)", .trace = true)
OPTION(signalling_with_a_value, 6, ANYONE, "--scope signal", ", sigqueue(3)", .trace = true)
OPTION(signalling_through_a_pidfd, 6, ANYONE, "--scope signal", ", pidfd_send_signal(2)",
       .trace = true)
OPTION(signalling_by_input_on_a_descriptor, 6, ANYONE, "--scope signal",
       " and F_SETOWN of fcntl(2)", .trace = true, .silent = true)

TOPIC(CONTROL, "How other processes of the same user run")
OPEN(changing_the_priority_of_others, ANYONE, CONTROL, "Their priority by setpriority(2)")
OPEN(changing_the_limits_of_others, ANYONE, CONTROL, ", limits by prlimit(2)")
OPEN(changing_the_processors_of_others, ANYONE, CONTROL, ", scheduling by sched_setaffinity(2)")
OPEN(changing_the_policy_of_others, ANYONE, CONTROL, ", sched_setscheduler(2)")
OPEN(changing_the_disk_priority_of_others, ANYONE, CONTROL, " and ioprio_set(2)")
OPEN(asking_whether_a_process_exists, ANYONE, CONTROL,
     "whether they are there at all, by getpgid(2)", .grants = GRANTS_NOTHING)

/* ---- Objects of the kernel ---- */

TOPIC(OBJECTS, "Objects that have no path")
OPEN(creating_a_message_queue, ANYONE, OBJECTS, "POSIX message queues, which can be made",
     .trace = true)
OPEN(deleting_a_message_queue, ANYONE, OBJECTS, " and deleted", .trace = true)
OPEN(writing_system_v_shared_memory, ANYONE, OBJECTS, "System V shared memory", .trace = true)
OPEN(changing_system_v_semaphores, ANYONE, OBJECTS, ", semaphores", .trace = true)
OPEN(sending_to_a_system_v_queue, ANYONE, OBJECTS, " and message queues", .trace = true)
OPEN(adding_a_key, ANYONE, OBJECTS, "the user's keyrings(7)", .trace = true)
OPEN(locking_a_file, ANYONE, OBJECTS, "flock(2) on files that may be read")

TOPIC(SURFACE, "The kernel itself, to a command that attacks it")
OPEN(making_a_user_namespace, ANYONE, SURFACE, "Namespaces of users, in which it has capabilities")
OPEN(handling_page_faults, ANYONE, SURFACE, "userfaultfd(2)")

TOPIC(FILE_SYSTEMS, "What file systems do on descriptors that may only be read")
OPEN(making_a_btrfs_subvolume, ANYONE, FILE_SYSTEMS,
     "Btrfs makes subvolumes and snapshots for the owner of a directory", .prepare = with_btrfs)

/* ---- Mounts and namespaces ---- */

TOPIC(MOUNTS, "Mounts and namespaces")
CLOSED(mounting, 1, PRIVILEGED, MOUNTS, "mount(2)", .prepare = with_mounts)
CLOSED(binding, 1, PRIVILEGED, MOUNTS, " with MS_BIND", .prepare = with_mounts)
CLOSED(remounting, 1, PRIVILEGED, MOUNTS, " and MS_REMOUNT", .prepare = with_mounts)
CLOSED(unmounting, 1, PRIVILEGED, MOUNTS, ", umount(2)", .prepare = with_mounts)
CLOSED(moving_a_new_mount, 1, PRIVILEGED, MOUNTS, ", move_mount(2)", .prepare = with_mounts)
CLOSED(reconfiguring_a_mount, 1, PRIVILEGED, MOUNTS, ", fsconfig(2)", .prepare = with_mounts)
CLOSED(writing_on_a_detached_mount, 1, PRIVILEGED, MOUNTS, "files in what fsmount(2)",
       .prepare = with_mounts)
CLOSED(writing_through_a_cloned_mount, 1, PRIVILEGED, MOUNTS, " and open_tree(2) make",
       .prepare = with_mounts, .trace = true)
CLOSED(pivoting_the_root, 1, PRIVILEGED, MOUNTS, "pivot_root(2)", .prepare = with_mounts)
CLOSED(writing_after_chroot, 1, PRIVILEGED, MOUNTS, "files beneath a new chroot(2)", .trace = true)
CLOSED(mounting_in_a_user_namespace, 1, ANYONE, MOUNTS, "mounts in a user namespace")
CLOSED(writing_as_root_of_a_user_namespace, 1, ANYONE, MOUNTS, " and files as its root",
       .trace = true)

/* ---- What privileges allow ---- */

TOPIC(SETTINGS, "Settings of the system")
CLOSED(writing_to_proc_sys, 1, PRIVILEGED, SETTINGS, "/proc/sys, core_pattern included")
CLOSED(writing_to_sys, 1, PRIVILEGED, SETTINGS, ", /sys")
CLOSED(writing_to_a_cgroup, 1, PRIVILEGED, SETTINGS, " and control groups")
CLOSED(swapping_to_a_file, 1, PRIVILEGED, SETTINGS, "swapon(2)")
CLOSED(accounting_to_a_file, 1, PRIVILEGED, SETTINGS, "acct(2) to a file", .trace = true)

TOPIC(PRIVILEGES, "Privileges")
OPEN(reading_an_environment_as_root, AS_ROOT, PRIVILEGES,
     "What /proc/PID/environ tells of other processes, on newer kernels", .certain = 7)
OPEN(sampling_a_process_as_root, AS_ROOT, PRIVILEGES, "perf_event_open(2) of them")
OPEN(loading_bpf, PRIVILEGED, PRIVILEGES, "bpf(2)")
OPEN(loading_a_module, PRIVILEGED, PRIVILEGES, ", init_module(2)")
OPEN(unloading_a_module, PRIVILEGED, PRIVILEGES, ", delete_module(2)")
OPEN(loading_another_kernel, PRIVILEGED, PRIVILEGES, ", kexec_load(2)")
OPEN(rebooting, PRIVILEGED, PRIVILEGES, ", reboot(2)")
OPEN(using_ports_of_the_machine, PRIVILEGED, PRIVILEGES, ", ioperm(2)")
OPEN(changing_the_host_name, PRIVILEGED, PRIVILEGES, ", sethostname(2)", .prepare = with_host_name)
OPEN(changing_the_clock, PRIVILEGED, PRIVILEGES, ", settimeofday(2)")
OPEN(freezing_a_mount, PRIVILEGED, PRIVILEGES, ", mount_setattr(2)", .prepare = with_mounts)
OPEN(freezing_a_file_system, AS_ROOT, PRIVILEGES, ", FIFREEZE", .prepare = with_btrfs)
OPEN(asking_for_quotas, PRIVILEGED, PRIVILEGES, ", quotactl(2)")
OPEN(watching_everything_with_fanotify, PRIVILEGED, PRIVILEGES,
     "fanotify(7) of a whole file system, which can refuse others their files")
