import { MalformedRiskError } from './declared-factors.js';

const MAX_TOOLS = 200;
const TOOL = /^[\w.:/-]{1,128}$/;

/** Parses the task header `tools`: comma-separated names. A step without it may use no tools. */
export function readTools(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  if (names.length > MAX_TOOLS) throw new MalformedRiskError(`the header "tools" names more than ${MAX_TOOLS} tools`);
  const wrong = names.find((name) => !TOOL.test(name));
  if (wrong === undefined) return names;
  throw new MalformedRiskError(
    `the header "tools" must be a comma-separated list of tool names, and ${JSON.stringify(wrong.slice(0, 80))} is not a tool name`,
  );
}
