import { copyFile, open, rename, stat, truncate, type FileHandle } from 'node:fs/promises';
import type { DataDirectoryLayout } from './data-directory-layout.js';
import { ignoreMissing } from './node-error.js';

const MAX_LOG_BYTES = 8 * 1024 * 1024;
const CHECK_INTERVAL_MS = 60_000;
const TAIL_BYTES = 4096;

/**
 * Opens the log file that PostgreSQL writes directly, so that no line is lost and PostgreSQL does not block if this
 * process dies. The file of the previous start is kept as `postgres.log.1`, so that the cause of a crash remains
 * readable.
 */
export async function openServerLog(layout: DataDirectoryLayout): Promise<FileHandle> {
  await ignoreMissing(rename(layout.logFile, layout.previousLogFile));
  return open(layout.logFile, 'a', 0o600);
}

/**
 * Limits the size of the log while the server runs. The log is open for appending, so it can be truncated while
 * PostgreSQL writes to it. Returns a function that ends the checks.
 */
export function limitServerLogSize(
  layout: DataDirectoryLayout,
  maxBytes = MAX_LOG_BYTES,
  intervalMs = CHECK_INTERVAL_MS,
): () => void {
  let isTruncating = false; // concurrent truncations would overwrite the previous log with the empty log
  const timer = setInterval(() => {
    if (isTruncating) return;
    isTruncating = true;
    truncateIfTooLarge(layout, maxBytes)
      .catch(() => undefined) // retried at the next check
      .finally(() => {
        isTruncating = false;
      });
  }, intervalMs);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}

async function truncateIfTooLarge(layout: DataDirectoryLayout, maxBytes: number): Promise<void> {
  if ((await stat(layout.logFile)).size <= maxBytes) return;
  await copyFile(layout.logFile, layout.previousLogFile);
  await truncate(layout.logFile);
}

/** Returns the last lines of the log, for an error message. */
export async function readServerLogTail(layout: DataDirectoryLayout): Promise<string> {
  const handle = await ignoreMissing(open(layout.logFile, 'r'));
  if (handle === undefined) return '';
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - TAIL_BYTES);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, start);
    const text = buffer.subarray(0, bytesRead).toString('utf8');
    return (start === 0 ? text : text.slice(text.indexOf('\n') + 1)).trim();
  } finally {
    await handle.close();
  }
}
