import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Bench } from '../bench.js';
import { repository } from '../processes/processes.js';

interface Wanted {
  name: string;
  version: string;
  /** Packages to be had in other versions than the ones that are asked for. */
  overrides?: Record<string, string>;
  /** Packages that are installed beside it, with their versions. */
  more?: string[];
  /** It builds something of its own when it is installed. */
  hasScripts?: boolean;
}

/** Hears why a peer cannot be had, and leaves it out with a note of the part of the bench. */
export const without =
  ({ note }: Bench, part: string, name: string) =>
  (error: Error): undefined => {
    note(`${part}: without ${name}: ${error.message}`);
  };

/** The folder of a package that npm installs when it is first asked for. Throws where it cannot be had. */
export async function peer({ name, version, overrides = {}, more = [], hasScripts = false }: Wanted): Promise<string> {
  const folder = path.join(repository(), 'bench', 'peers', name.replace('/', '-'));
  const installed = path.join(folder, 'node_modules', name);
  if (existsSync(installed)) return installed;
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ private: true, overrides }));
  const flags = ['--no-audit', '--no-fund', ...(hasScripts ? [] : ['--ignore-scripts'])];
  const child = spawn('npm', ['install', ...flags, `${name}@${version}`, ...more], {
    cwd: folder,
    stdio: 'ignore',
    shell: process.platform === 'win32',
    // What it builds is for the Node that the bench runs on.
    env: { ...process.env, PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter) },
  });
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve));
  if (code !== 0 || !existsSync(installed)) throw new Error(`npm could not install ${name}@${version} (exit ${code})`);
  return installed;
}
