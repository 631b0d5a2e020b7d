import type { ChildProcess } from 'node:child_process';

const children = new Set<ChildProcess>();

function killAll(): void {
  for (const { pid } of children) {
    try {
      if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
    } catch {
      // The process group no longer exists.
    }
  }
}

/**
 * Registers a program to be killed, with all processes that it started, if this process exits before the registration
 * is undone.
 *
 * @returns a function that undoes the registration
 */
export function killOnExit(child: ChildProcess): () => void {
  if (children.size === 0) process.on('exit', killAll);
  children.add(child);
  return () => {
    children.delete(child);
    if (children.size === 0) process.off('exit', killAll);
  };
}
