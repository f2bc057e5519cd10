import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A virtual cable between this machine and the namespace. */
export interface Link {
  /** The address of this machine on the cable. */
  outside: string;
  /** The address of the namespace on the cable. */
  inside: string;
  /** Drops every packet in both directions from now on, without any notification. */
  cut(): void;
  /** Delivers packets again. */
  restore(): void;
}

export interface NetworkNamespace {
  name: string;
  links: Link[];
  /** Sets the addresses to which names resolve inside, from now on. */
  setHosts(hosts: Record<string, string>): void;
  close(): void;
}

/** Creates a network namespace with links to it. Returns the reason as text if that is not possible here. */
export function createNetworkNamespace(links: number): NetworkNamespace | string {
  if (process.platform !== 'linux') return 'network namespaces are a part of Linux';
  if (process.getuid?.() !== 0) return 'network namespaces need root';
  const id = randomInt(1_000, 10_000);
  const name = `scenarium${id}`;
  const folder = path.join('/etc/netns', name);
  const close = () => {
    rmSync(folder, { recursive: true, force: true });
    attempt(() => ip('netns', 'del', name));
  };
  try {
    ip('netns', 'add', name);
    ip('-n', name, 'link', 'set', 'lo', 'up');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'hosts'), '127.0.0.1 localhost\n');
    const made = Array.from({ length: links }, (_, index) => createLink(name, `sc${id}${index}`, randomInt(0, 16_000)));
    process.once('exit', close);
    return {
      name,
      links: made,
      setHosts: hosts => {
        const lines = Object.entries({ localhost: '127.0.0.1', ...hosts }).map(([host, at]) => `${at} ${host}\n`);
        // Overwritten in place, because processes inside have this file mounted as their own.
        writeFileSync(path.join(folder, 'hosts'), lines.join(''));
      },
      close: () => {
        process.off('exit', close);
        close();
      },
    };
  } catch (error) {
    close();
    return `iproute2 could not make a network namespace: ${(error as Error).message.split('\n')[0]}`;
  }
}

/** Addresses are from the block for measurements (RFC 2544), which no real network uses. */
function createLink(namespace: string, device: string, block: number): Link {
  const address = (host: number) => {
    const at = block * 8 + host;
    return `198.${18 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`;
  };
  const [outside, inside] = [address(1), address(2)];
  ip('link', 'add', device, 'type', 'veth', 'peer', 'name', `${device}p`, 'netns', namespace);
  ip('addr', 'add', `${outside}/30`, 'dev', device);
  ip('link', 'set', device, 'up');
  ip('-n', namespace, 'addr', 'add', `${inside}/30`, 'dev', `${device}p`);
  ip('-n', namespace, 'link', 'set', `${device}p`, 'up');
  return {
    outside,
    inside,
    cut: () => ip('link', 'set', device, 'down'),
    restore: () => {
      ip('link', 'set', device, 'up');
    },
  };
}

function ip(...words: string[]): void {
  execFileSync('ip', words, { stdio: ['ignore', 'ignore', 'pipe'] });
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // It is already deleted.
  }
}
