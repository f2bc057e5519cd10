import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { statfs, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A separate file system that can be filled to the last byte, and emptied again. */
export interface SmallDisk {
  folder: string;
  fill(): Promise<void>;
  free(): Promise<void>;
  unmount(): void;
}

/** Mounts a file system in memory of this size. Returns undefined when the process may not mount file systems. */
export function mountSmallDisk(folder: string, megabytes: number): SmallDisk | undefined {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch {
    return undefined;
  }
  const filler = path.join(folder, 'filler');
  return {
    folder,
    async fill() {
      const { bavail, bsize } = await statfs(folder);
      const all = Buffer.alloc(bavail * bsize);
      // The disk is full also when the write fails: other processes have used the rest meanwhile.
      await writeFile(filler, all).catch(() => {});
    },
    free: () => unlink(filler),
    unmount() {
      execFileSync('umount', ['-l', folder], { stdio: 'pipe' });
    },
  };
}
