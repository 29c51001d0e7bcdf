import { describe, expect, test } from 'vitest';
import { ERRNO } from '../../../src/worker/wasi/abi.ts';
import { InstanceEnded } from '../../../src/worker/wasi/instance-end.ts';
import { createTestInstance, PAGE, type TestInstance } from './instance.ts';

/** Lays out an iovec list at 0 and returns its pointer and count. */
function iovecs({ view }: TestInstance, ...buffers: [pointer: number, length: number][]): [number, number] {
  for (const [index, [pointer, length]] of buffers.entries()) {
    view.setUint32(index * 8, pointer, true);
    view.setUint32(index * 8 + 4, length, true);
  }
  return [0, buffers.length];
}

describe('writing', () => {
  test('gathers buffers in order', () => {
    const instance = createTestInstance();
    const { wasi, view, put, stdout } = instance;
    const list = iovecs(instance, put(200, 'one '), put(300, ''), put(400, 'two'));
    expect([wasi.fd_write(1, ...list, 100), view.getUint32(100, true)]).toEqual([0, 7]);
    expect(new TextDecoder().decode(stdout.bytes())).toBe('one two');
  });

  test('beyond the limit ends the instance, and takes nothing', () => {
    const instance = createTestInstance();
    const list = iovecs(instance, [0, 1_025]);
    expect(() => instance.wasi.fd_write(1, ...list, 100)).toThrow(InstanceEnded);
    expect(instance.end.forced).toEqual({ kind: 'output-limit' });
    expect(instance.stdout.bytes()).toHaveLength(0);
  });

  test('a flood of buffers is refused, or ends at the limit', () => {
    const instance = createTestInstance();
    for (let index = 0; index < 1_025; index++) iovecs(instance, ...Array<[number, number]>(1_025).fill([0, PAGE]));
    expect(instance.wasi.fd_write(1, 0, 1_025, 100)).toBe(ERRNO.inval);
    expect(instance.wasi.fd_write(1, 0, -1, 100)).toBe(ERRNO.inval);
    expect(() => instance.wasi.fd_write(1, 0, 1_024, 100)).toThrow(InstanceEnded);
  });

  test('to stderr keeps the end', () => {
    const instance = createTestInstance();
    const { wasi, put, stderr } = instance;
    for (const text of ['0123456789', 'abcdef', 'XYZ']) wasi.fd_write(2, ...iovecs(instance, put(200, text)), 100);
    expect([new TextDecoder().decode(stderr.tail().bytes), stderr.tail().cut]).toEqual(['3456789abcdefXYZ', true]);
    wasi.fd_write(2, ...iovecs(instance, [0, PAGE]), 100);
    expect(stderr.tail().bytes).toHaveLength(16);
  });

  test.each([
    ['to stdin', 0, ERRNO.badf],
    ['to a directory', 3, ERRNO.badf],
    ['to nothing', 9, ERRNO.badf],
  ])('%s fails', (_name, fd, errno) => {
    const instance = createTestInstance({ a: 'x' });
    expect(instance.wasi.fd_write(fd, ...iovecs(instance, [0, 1]), 100)).toBe(errno);
  });

  test('from outside memory is a fault', () => {
    const instance = createTestInstance();
    expect(instance.wasi.fd_write(1, ...iovecs(instance, [PAGE - 1, 2]), 100)).toBe(ERRNO.fault);
    expect(instance.wasi.fd_write(1, ...iovecs(instance, [-1, 1]), 100)).toBe(ERRNO.fault);
    expect(instance.wasi.fd_write(1, PAGE - 4, 1, 100)).toBe(ERRNO.fault);
    expect(instance.stdout.bytes()).toHaveLength(0);
  });
});

describe('reading', () => {
  test('scatters input over buffers until it ends', () => {
    const instance = createTestInstance({}, '元abcdef');
    const { wasi, view, text } = instance;
    expect([wasi.fd_read(0, ...iovecs(instance, [200, 2], [300, 3]), 100), view.getUint32(100, true)]).toEqual([0, 5]);
    expect(text(200, 2) + text(300, 3)).toBe(
      new TextDecoder().decode(Uint8Array.from([0xe5, 0x85])) + new TextDecoder().decode(Uint8Array.from([0x83, 0x61, 0x62])),
    );
    expect([wasi.fd_read(0, ...iovecs(instance, [200, 50]), 100), view.getUint32(100, true), text(200, 4)]).toEqual([
      0,
      4,
      'cdef',
    ]);
    expect([wasi.fd_read(0, ...iovecs(instance, [200, 50]), 100), view.getUint32(100, true)]).toEqual([0, 0]);
  });

  test('from an output or a directory fails', () => {
    const instance = createTestInstance({ a: 'x' });
    expect(instance.wasi.fd_read(1, ...iovecs(instance, [200, 1]), 100)).toBe(ERRNO.badf);
    expect(instance.wasi.fd_read(3, ...iovecs(instance, [200, 1]), 100)).toBe(ERRNO.isdir);
  });
});

/** Opens `path` under the preopened directory; the descriptor, or the negative errno. */
function open({ wasi, view, put }: TestInstance, path: string, { oflags = 0, rights = 2n, fd = 3 } = {}): number {
  const errno = wasi.path_open(fd, 1, ...put(500, path), oflags, rights, 0n, 0, 100);
  return errno === 0 ? view.getUint32(100, true) : -errno;
}

describe('files', () => {
  test('seek, tell and read at an offset', () => {
    const instance = createTestInstance({ a: '0123456789' });
    const { wasi, view, text } = instance;
    const fd = open(instance, 'a');
    expect([wasi.fd_seek(fd, 4n, 0, 100), view.getBigUint64(100, true)]).toEqual([0, 4n]);
    expect([wasi.fd_seek(fd, -1n, 1, 100), view.getBigUint64(100, true)]).toEqual([0, 3n]);
    expect([wasi.fd_seek(fd, -2n, 2, 100), view.getBigUint64(100, true)]).toEqual([0, 8n]);
    expect([wasi.fd_tell(fd, 100), view.getBigUint64(100, true)]).toEqual([0, 8n]);
    expect([wasi.fd_pread(fd, ...iovecs(instance, [200, 3]), 1n, 100), text(200, 3)]).toEqual([0, '123']);
    expect([wasi.fd_pread(fd, ...iovecs(instance, [200, 3]), -1n, 100), view.getUint32(100, true)]).toEqual([0, 0]);
    expect([wasi.fd_read(fd, ...iovecs(instance, [200, 9]), 100), view.getUint32(100, true)]).toEqual([0, 2]);
  });

  test.each([
    ['before the start', -1n, 0],
    ['beyond every size', 2n ** 63n - 1n, 2],
    ['from an unknown place', 0n, 3],
  ])('cannot seek %s', (_name, offset, whence) => {
    const instance = createTestInstance({ a: '0123456789' });
    expect(instance.wasi.fd_seek(open(instance, 'a'), offset, whence, 100)).toBe(ERRNO.inval);
  });

  test('beyond the end read nothing', () => {
    const instance = createTestInstance({ a: 'x' });
    const fd = open(instance, 'a');
    instance.wasi.fd_seek(fd, 2n ** 52n, 0, 100);
    expect([instance.wasi.fd_read(fd, ...iovecs(instance, [200, 9]), 100), instance.view.getUint32(100, true)]).toEqual([0, 0]);
  });

  test('say what they are', () => {
    const { wasi, view } = createTestInstance({ a: '0123' });
    const statOf = (fd: number) => [wasi.fd_filestat_get(fd, 200), view.getUint8(216), view.getBigUint64(232, true)];
    expect([statOf(0), statOf(1), statOf(3)]).toEqual([
      [0, 0, 0n],
      [0, 0, 0n],
      [0, 3, 0n],
    ]);
    expect(wasi.fd_prestat_get(3, 200)).toBe(0);
    expect([view.getUint32(200, true), view.getUint32(204, true)]).toEqual([0, 1]);
    expect([wasi.fd_prestat_dir_name(3, 200, 1), view.getUint8(200)]).toEqual([0, 0x2f]);
    expect(wasi.fd_prestat_dir_name(3, 200, 0)).toBe(ERRNO.nametoolong);
    expect(wasi.fd_prestat_get(4, 200)).toBe(ERRNO.badf);
    expect(wasi.fd_prestat_get(0, 200)).toBe(ERRNO.badf);
  });

  test('are closed, renumbered, and capped in number', () => {
    const instance = createTestInstance({ a: 'x' });
    const { wasi } = instance;
    const [first, second] = [open(instance, 'a'), open(instance, 'a')];
    expect([first, second]).toEqual([4, 5]);
    expect([wasi.fd_renumber(4, 5), wasi.fd_close(4), wasi.fd_close(5), wasi.fd_close(5)]).toEqual([
      0,
      ERRNO.badf,
      0,
      ERRNO.badf,
    ]);
    expect([wasi.fd_renumber(0, 0), wasi.fd_close(0), wasi.fd_close(0)]).toEqual([0, 0, ERRNO.badf]);
    const opened = Array.from({ length: 70 }, () => open(instance, 'a'));
    expect([opened[0], opened.at(-1), opened.filter((fd) => fd >= 0).length]).toEqual([0, -ERRNO.mfile, 61]);
  });
});

describe('paths', () => {
  const resources = { 'a/b': 'x', c: '' };

  test.each([
    ['c', { oflags: 1 }, ERRNO.notcapable],
    ['c', { oflags: 8 }, ERRNO.notcapable],
    ['new', { oflags: 1 }, ERRNO.notcapable],
    ['c', { rights: 64n }, ERRNO.notcapable],
    ['c', { oflags: 2 }, ERRNO.notdir],
    ['/c', {}, ERRNO.notcapable],
    ['a/../c', {}, ERRNO.notcapable],
    ['..', {}, ERRNO.notcapable],
    ['c\0', {}, ERRNO.inval],
    ['', {}, ERRNO.noent],
    ['a/b/', {}, ERRNO.notdir],
    ['x'.repeat(4_097), {}, ERRNO.nametoolong],
    ['c', { fd: 1 }, ERRNO.notdir],
    ['c', { fd: 40 }, ERRNO.badf],
  ])('opening %j with %o is refused', (path, options, errno) => {
    expect(open(createTestInstance(resources), path, options)).toBe(-errno);
  });

  test('that are no UTF-8 are refused', () => {
    const { wasi, view } = createTestInstance(resources);
    view.setUint8(500, 0xff);
    expect(wasi.path_open(3, 0, 500, 1, 0, 0n, 0n, 0, 100)).toBe(ERRNO.ilseq);
  });

  test('are taken from the directory that is given', () => {
    const instance = createTestInstance(resources);
    const folder = open(instance, 'a', { oflags: 2 });
    expect(folder).toBe(4);
    expect(open(instance, 'b', { fd: folder })).toBe(5);
    expect(open(instance, '../c', { fd: folder })).toBe(-ERRNO.notcapable);
  });

  test('cannot be changed, linked or read as links', () => {
    const { wasi, put } = createTestInstance(resources);
    const c = put(500, 'c');
    const x = put(600, 'x');
    expect([
      wasi.path_create_directory(3, ...x),
      wasi.path_filestat_set_times(3, 0, ...c, 0n, 0n, 0),
      wasi.path_link(3, 0, ...c, 3, ...x),
      wasi.path_remove_directory(3, ...c),
      wasi.path_rename(3, ...c, 3, ...x),
      wasi.path_symlink(...c, 3, ...x),
      wasi.path_unlink_file(3, ...c),
    ]).toEqual(Array(7).fill(ERRNO.notcapable));
    expect(wasi.path_readlink(3, ...c, 700, 10, 100)).toBe(ERRNO.inval);
    expect(wasi.path_readlink(3, ...x, 700, 10, 100)).toBe(ERRNO.noent);
    expect(wasi.path_symlink(...c, 9, ...x)).toBe(ERRNO.badf);
  });
});

describe('what is not there', () => {
  test('sockets, signals, rights, sizes', () => {
    const { wasi } = createTestInstance();
    expect([wasi.sock_accept(1, 0, 0), wasi.sock_shutdown(9, 0)]).toEqual([ERRNO.notsock, ERRNO.badf]);
    expect([wasi.proc_raise(6), wasi.fd_fdstat_set_rights(1, 0n, 0n)]).toEqual([ERRNO.nosys, ERRNO.notsup]);
    expect([wasi.fd_allocate(1, 0n, 1n), wasi.fd_filestat_set_size(1, 0n)]).toEqual([ERRNO.notcapable, ERRNO.notcapable]);
    expect([wasi.fd_sync(1), wasi.fd_advise(1, 0n, 0n, 0), wasi.sched_yield()]).toEqual([0, 0, 0]);
  });
});
