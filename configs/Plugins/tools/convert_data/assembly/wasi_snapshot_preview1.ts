// What the module imports, and all it imports. The compiler takes the name of the imported module from the
// name of this file; addresses are of the module's own memory, results are WASI error numbers (0: success).

export declare function fd_read(fd: i32, iovecs: usize, iovecCount: i32, bytesRead: usize): i32;

export declare function fd_write(fd: i32, iovecs: usize, iovecCount: i32, bytesWritten: usize): i32;

export declare function proc_exit(code: i32): void;
