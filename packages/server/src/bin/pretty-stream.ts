/** Converts pino's lines to readable ones: time, level, message, fields. */
export function createPrettyStream(output: { write(text: string): unknown }): { write(line: string): void } {
  return {
    write(line) {
      output.write(formatPrettyLine(line));
    },
  };
}

export function formatPrettyLine(line: string): string {
  const parsed = tryParseJson(line);
  if (parsed === undefined) return line;
  const { time, level, msg, err, ...fields } = parsed;
  const fieldsText = Object.entries(fields).map(
    ([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return `${String(time).slice(11, 19)} ${String(level).toUpperCase().padEnd(5)} ${String(msg ?? '')}${fieldsText.join('')}${formatError(err)}\n`;
}

function tryParseJson(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function formatError(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { message, stack } = error as { message?: unknown; stack?: unknown };
  return `\n  ${String(stack ?? message).replaceAll('\n', '\n  ')}`;
}
