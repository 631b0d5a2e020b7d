import type { ChildProcess } from 'node:child_process';

const children = new Set<ChildProcess>();

function endAll(): void {
  for (const { pid } of children) {
    try {
      if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
    } catch {
      // It is gone already.
    }
  }
}

/** Ends a program, with all that it has started, where this process ends before it has been stopped. @returns what lets it be */
export function killOnExit(child: ChildProcess): () => void {
  if (children.size === 0) process.on('exit', endAll);
  children.add(child);
  return () => {
    children.delete(child);
    if (children.size === 0) process.off('exit', endAll);
  };
}
