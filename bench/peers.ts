import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { repository } from './processes.js';

/** The folder of a package that npm installs when it is first asked for. Throws where it cannot be had. */
export async function peer(name: string, version: string): Promise<string> {
  const folder = path.join(repository(), 'bench', 'peers', name.replace('/', '-'));
  const installed = path.join(folder, 'node_modules', name);
  if (existsSync(installed)) return installed;
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{"private":true}\n');
  const child = spawn('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${version}`], {
    cwd: folder,
    stdio: 'ignore',
    shell: process.platform === 'win32',
  });
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve));
  if (code !== 0 || !existsSync(installed)) throw new Error(`npm could not install ${name}@${version} (exit ${code})`);
  return installed;
}
