/** The smallest class, in MiB. Below it, V8 itself needs more than the tool. */
const SMALLEST_CLASS_MB = 32;

/**
 * A worker's heap limit is fixed when it starts, so workers come in classes, in MiB: powers of two. A call runs in
 * a worker of its own class; a worker of another class is started anew for it. V8 lets a heap overshoot its limit,
 * by up to its size for a moment, before it ends the thread: the limit says what a call cannot keep, not what it can
 * never touch.
 */
export function memoryClassMb(memoryMb: number): number {
  let classMb = SMALLEST_CLASS_MB;
  while (classMb < memoryMb) classMb *= 2;
  return classMb;
}

/** What a worker's heap holds before any call: SES, node's own modules, cached programs. */
const IDLE_HEAP_MB = 24;

/** The heap limit, in MiB, of a worker of this class. */
export function heapLimitMb(classMb: number): number {
  return classMb + IDLE_HEAP_MB;
}

/** Resident memory of a host process before any call, with some for its workers' code and stacks. */
const HOST_IDLE_MB = 192;

/**
 * The resident memory, in MiB, above which a host process is killed without asking whose memory it is. What its
 * workers' own limits allow fits below.
 */
export function hostLimitMb(workerClassesMb: readonly number[]): number {
  return workerClassesMb.reduce((sum, classMb) => sum + heapLimitMb(classMb) + classMb / 2, HOST_IDLE_MB);
}
