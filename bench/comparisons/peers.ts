import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Bench } from '../bench.js';
import { repository } from '../processes/processes.js';

interface PeerPackage {
  name: string;
  version: string;
  /** Versions of dependencies, in place of those that the package requests. */
  overrides?: Record<string, string>;
  /** Packages that are installed in addition, with their versions. */
  more?: string[];
  /** Whether the package runs build scripts at its installation. */
  hasScripts?: boolean;
}

/** Returns an error handler that skips an unavailable peer and adds a note with the reason to the report. */
export const skipPeer =
  ({ note }: Bench, part: string, name: string) =>
  (error: Error): undefined => {
    note(`${part}: without ${name}: ${error.message}`);
  };

/** Returns the folder of a package, which npm installs at its first use. Throws if npm cannot install it. */
export async function installPeer({
  name,
  version,
  overrides = {},
  more = [],
  hasScripts = false,
}: PeerPackage): Promise<string> {
  const folder = path.join(repository(), 'bench', 'peers', `${name.replace('/', '-')}@${version}`);
  const installed = path.join(folder, 'node_modules', name);
  if (existsSync(installed)) return installed;
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ private: true, overrides }));
  const flags = ['--no-audit', '--no-fund', ...(hasScripts ? [] : ['--ignore-scripts'])];
  const child = spawn('npm', ['install', ...flags, `${name}@${version}`, ...more], {
    cwd: folder,
    stdio: 'ignore',
    shell: process.platform === 'win32',
    // Build scripts use the Node version of the benchmark.
    env: { ...process.env, PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter) },
  });
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve));
  if (code !== 0 || !existsSync(installed)) throw new Error(`npm could not install ${name}@${version} (exit ${code})`);
  return installed;
}
