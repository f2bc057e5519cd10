import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Bench } from '../bench.js';
import { repository } from '../processes/processes.js';

export interface PeerPackage {
  name: string;
  version: string;
  /** Packages that are installed in addition, with their versions. */
  more?: string[];
  /** More options of `npm install`. */
  flags?: string[];
}

/** Returns an error handler that skips an unavailable peer and adds a note with the reason to the report. */
export const skipPeer =
  ({ note }: Bench, part: string, name: string) =>
  (error: Error): undefined => {
    note(`${part}: without ${name}: ${error.message}`);
  };

/** Returns the folder of a package, which npm installs without build scripts at its first use. Throws if npm cannot install it. */
export async function installPeer({ name, version, more = [], flags = [] }: PeerPackage): Promise<string> {
  const folder = path.join(repository(), 'bench', 'peers', `${name.replace('/', '-')}@${version}`);
  const installed = path.join(folder, 'node_modules', name);
  if (existsSync(installed)) return installed;
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ private: true }));
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', ...flags];
  const child = spawn('npm', ['install', ...options, `${name}@${version}`, ...more], {
    cwd: folder,
    stdio: 'ignore',
    shell: process.platform === 'win32',
  });
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve));
  if (code !== 0 || !existsSync(installed)) throw new Error(`npm could not install ${name}@${version} (exit ${code})`);
  return installed;
}
