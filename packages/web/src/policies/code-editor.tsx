import { Fragment, useRef, useEffect } from 'react';
import { getLineOffset } from './parse-policy-issues.js';

interface CodeProps {
  readonly label: string;
  readonly text: string;
}

/**
 * Line numbers beside a text, hidden from screen readers. The lines between two issues share one text node, because one
 * element per line would be too many for a long file.
 */
function LineNumbers({ count, issueLines = [] }: { readonly count: number; readonly issueLines?: readonly number[] }) {
  const sortedIssueLines = [...new Set(issueLines)].filter((line) => line >= 1 && line <= count).sort((a, b) => a - b);
  const segments = [0, ...sortedIssueLines].map((line, index) => ({
    from: line + 1,
    to: sortedIssueLines[index] ?? count + 1,
  }));
  return (
    <div className="cs-code-lines" aria-hidden>
      {segments.map(({ from, to }, index) => (
        <Fragment key={from}>
          {index > 0 && <span className="cs-code-error">{`✕ ${from - 1}\n`}</span>}
          {Array.from({ length: to - from }, (_, line) => `${from + line}\n`).join('')}
        </Fragment>
      ))}
    </div>
  );
}

/** Shows a read-only text with line numbers. */
export function CodeView({ label, text }: CodeProps) {
  return (
    <div className="cs-code" role="region" aria-label={label} tabIndex={0}>
      <LineNumbers count={text.split('\n').length} />
      <pre className="cs-code-text">{text}</pre>
    </div>
  );
}

interface CodeEditorProps extends CodeProps {
  readonly description: string;
  /** Lines with an issue, from 1. */
  readonly issueLines: readonly number[];
  /** Line to scroll to; each new object scrolls again. */
  readonly scrollTarget: { readonly line: number } | undefined;
  onChange(text: string): void;
}

/** Editor with line numbers. It is a plain text field, so that all keys work as usual and Tab leaves the field. */
export function CodeEditor({ label, text, description, issueLines, scrollTarget, onChange }: CodeEditorProps) {
  const textareaRef = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (scrollTarget === undefined || textareaRef.current === null) return;
    const start = getLineOffset(textareaRef.current.value, scrollTarget.line);
    textareaRef.current.focus();
    textareaRef.current.setSelectionRange(start, getLineOffset(textareaRef.current.value, scrollTarget.line + 1));
    textareaRef.current.parentElement?.scrollTo({ top: (scrollTarget.line - 4) * 18 });
  }, [scrollTarget]);
  const lineCount = text.split('\n').length;
  return (
    <div className="cs-code">
      <LineNumbers count={lineCount} issueLines={issueLines} />
      <textarea
        ref={textareaRef}
        className="cs-code-text"
        aria-label={label}
        aria-description={description}
        aria-invalid={issueLines.length > 0}
        wrap="off"
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        rows={lineCount + 1}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}
