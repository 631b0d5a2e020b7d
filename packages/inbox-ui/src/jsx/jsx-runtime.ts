import { Fragment, jsx as plainJsx, jsxs as plainJsxs } from 'react/jsx-runtime';
import { escapeInvisible } from '../ui/escape-invisible.js';

export { Fragment };
export type { JSX } from 'react/jsx-runtime';

/** Props that are rendered as text or read by screen readers. A field's `value` stays unchanged. */
const TEXT_PROPS = [
  'children',
  'data',
  'title',
  'label',
  'description',
  'placeholder',
  'alt',
  'legend',
  'error',
  'aria-label',
  'aria-description',
] as const;
export type Props = Readonly<Record<string, unknown>>;

/**
 * JSX runtime of this package, the web UI and the desktop client (`jsxImportSource`): React's own, with invisible
 * characters in texts escaped (`escapeInvisible`). This reveals invisible characters in untrusted names, messages and
 * rationales on every page, without any code in the components.
 */
export function jsx(type: Parameters<typeof plainJsx>[0], props: unknown, key?: string): ReturnType<typeof plainJsx> {
  return plainJsx(type, escapeProps(props as Props), key);
}

export function jsxs(
  type: Parameters<typeof plainJsxs>[0],
  props: unknown,
  key?: string,
): ReturnType<typeof plainJsxs> {
  return plainJsxs(type, escapeProps(props as Props), key);
}

/** Escapes the texts in props. Returns the same object if there is nothing to escape, which is the usual case. */
export function escapeProps(props: Props): Props {
  let changed: Record<string, unknown> | undefined;
  for (const name of TEXT_PROPS) {
    const before = props[name];
    const after =
      typeof before === 'string'
        ? escapeInvisible(before)
        : Array.isArray(before)
          ? escapeList(before, name === 'data' ? escapeOption : escapeText)
          : before;
    if (after !== before) (changed ??= { ...props })[name] = after;
  }
  return changed ?? props;
}

function escapeList(list: readonly unknown[], escapeItem: (each: unknown) => unknown): readonly unknown[] {
  const escaped = list.map(escapeItem);
  return escaped.every((each, index) => each === list[index]) ? list : escaped;
}

function escapeText(each: unknown): unknown {
  return typeof each === 'string' ? escapeInvisible(each) : each;
}

/** Escapes the label of an option. For a plain string, the label is also the value. */
function escapeOption(each: unknown): unknown {
  if (typeof each !== 'object' || each === null || !('label' in each) || typeof each.label !== 'string') return each;
  const label = escapeInvisible(each.label);
  return label === each.label ? each : { ...each, label };
}
