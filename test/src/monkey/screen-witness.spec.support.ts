import type { Page } from 'playwright-core';

/** Deliberate activation of a deciding control: not by a double click, nor by a key before the focus is visible. */
export interface Confirmed {
  readonly kind: 'confirmed';
  /** `form`: sends the form; `dialog`: the last confirmation for a high risk; `together`: bulk approval. */
  readonly control: 'form' | 'dialog' | 'together';
  /** As displayed on screen. */
  readonly approvalId: string;
  readonly titles: readonly string[];
  readonly decision: string;
  readonly comment: string;
  /** Whether the form was ready to be sent. */
  readonly ready: boolean;
}

/** Progress of a decision as displayed on screen. */
export interface Told {
  readonly kind: 'told';
  /** Line on the screen, because titles may be equal. */
  readonly line: number;
  readonly title: string;
  readonly doing: string;
  readonly state: 'grace' | 'sending' | 'failed' | 'unknown' | 'gone';
}

/** Progress of the bulk approval dialog. */
export interface ToldTogether {
  readonly kind: 'together';
  readonly state: 'asking' | 'grace' | 'sending' | 'failed' | 'done' | 'gone';
  /** With `done`: the approvals that were recorded. */
  readonly counted: readonly string[];
}

/** Activation of an Undo control. */
export interface Undone {
  readonly kind: 'undone';
}

export type Seen = Confirmed | Told | ToldTogether | Undone;

/**
 * Watches the screen like a user: activated controls, the texts next to them, and the messages that follow.
 * It does not depend on any code of the application.
 *
 * @param never names of controls without effect, because they would end the session or leave the application
 */
export async function witness(page: Page, never: RegExp, onSeen: (seen: Seen) => void): Promise<void> {
  await page.exposeFunction('monkeySaw', (seen: Seen) => onSeen(seen));
  await page.addInitScript(watchScreen, never.source);
  await page.evaluate(watchScreen, never.source);
}

/** Runs in the page, so it must be self-contained. */
function watchScreen(never: string): void {
  const scope = globalThis as unknown as { monkeySaw(seen: unknown): void; monkeyWatches?: boolean };
  if (scope.monkeyWatches === true) return;
  scope.monkeyWatches = true;
  const DECISIONS: Readonly<Record<string, string>> = {
    'Approve': 'approve',
    'Reject': 'reject',
    'Request changes': 'request_changes',
    'Propose these arguments': 'edit',
  };
  const saw = (seen: unknown): void => scope.monkeySaw(seen);
  const nameOf = (element: Element): string =>
    (element.getAttribute('aria-label') ?? (element as HTMLElement).innerText ?? '').trim();
  const article = (): Element | null => document.querySelector('article[data-approval]');
  const formOf = (): Element | null => article()?.querySelector('form[aria-labelledby], [role="form"]') ?? null;
  const senderOf = (form: Element | null): HTMLButtonElement | null =>
    [...(form?.querySelectorAll<HTMLButtonElement>('button[type="submit"]') ?? [])].find(
      (button) => nameOf(button) in DECISIONS,
    ) ?? null;

  function controlOf(
    target: EventTarget | null,
  ): { readonly control: Confirmed['control']; readonly element: Element } | undefined {
    const button = target instanceof Element ? target.closest('button') : null;
    if (button === null) return undefined;
    const dialog = button.closest('[role="dialog"]');
    if (dialog !== null) {
      if (['Yes, approve it', 'Yes, propose them'].includes(nameOf(button)))
        return { control: 'dialog', element: button };
      return /^Approve \d+$/.test(nameOf(button)) ? { control: 'together', element: button } : undefined;
    }
    return button === senderOf(formOf()) ? { control: 'form', element: button } : undefined;
  }
  function confirm(control: Confirmed['control'], dialog: Element | null): void {
    const form = formOf();
    const sender = senderOf(form);
    const comment = [...(form?.querySelectorAll('textarea') ?? [])].find(
      (field) => field.labels[0]?.textContent?.startsWith('Comment') === true,
    );
    const listed = [...(dialog?.querySelectorAll('li strong') ?? [])].map((each) => each.textContent ?? '');
    saw({
      kind: 'confirmed',
      control,
      approvalId: article()?.getAttribute('data-approval') ?? '',
      titles: control === 'together' ? listed : [article()?.querySelector('h2')?.textContent ?? ''],
      decision: control === 'together' ? 'approve' : (DECISIONS[sender === null ? '' : nameOf(sender)] ?? ''),
      comment:
        control === 'together'
          ? ''
          : control === 'dialog'
            ? (dialog?.querySelector('section[aria-label="Your comment"] pre')?.textContent ?? '').trim()
            : (comment?.value.trim() ?? ''),
      ready: sender?.getAttribute('aria-disabled') !== 'true',
    });
  }

  const isNever = (element: Element): boolean => {
    const link = element.closest('a');
    const leaves =
      link !== null &&
      (link.target === '_blank' ||
        link.download !== '' ||
        link.origin !== location.origin ||
        link.pathname.startsWith('/api/'));
    return leaves || new RegExp(never, 'i').test(nameOf(element));
  };
  const shut = (event: Event): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  // Elements that the user focused by Tab or pointer. A focus that the application set must be painted first.
  const own = new WeakSet<EventTarget>();
  let byPerson = false;
  let painted: Element | null = null;
  const paint = (): void => {
    painted = document.activeElement;
    requestAnimationFrame(paint);
  };
  requestAnimationFrame(paint);
  window.addEventListener('keydown', (event) => (byPerson = event.key === 'Tab'), true);
  window.addEventListener('mousedown', () => (byPerson = true), true);
  window.addEventListener('mouseup', () => (byPerson = false), true);
  window.addEventListener(
    'focusin',
    ({ target }) => {
      if (byPerson && target !== null) own.add(target);
    },
    true,
  );
  window.addEventListener(
    'click',
    (event) => {
      if (!event.isTrusted || !(event.target instanceof Element)) return;
      // With Ctrl, a link opens another tab before this one.
      if (event.ctrlKey && event.target.closest('a') !== null) return shut(event);
      const button = event.target.closest('button, a, [role="option"], [role="menuitem"]');
      if (button !== null && isNever(button)) return shut(event);
      if (button !== null && /^Undo/.test(nameOf(button))) saw({ kind: 'undone' });
      const found = controlOf(event.target);
      if (found === undefined || event.detail > 1) return;
      const byKey = event.detail === 0 && document.activeElement === found.element;
      if (byKey && !own.has(found.element) && painted !== found.element) return;
      confirm(found.control, found.element.closest('[role="dialog"]'));
    },
    true,
  );
  window.addEventListener(
    'keydown',
    (event) => {
      if (!event.isTrusted || !(event.target instanceof Element)) return;
      if (event.key === 'u' && !event.target.matches('input:not([type=checkbox], [type=radio]), textarea, select'))
        saw({ kind: 'undone' });
      if (event.key === 'Enter' && event.target.matches('[role="combobox"]')) {
        const option = document.getElementById(event.target.getAttribute('aria-activedescendant') ?? '');
        if (option !== null && isNever(option)) return shut(event);
        saw({ kind: 'undone' });
      }
      if (event.key === 'Escape' && event.target.closest('[role="dialog"]') !== null) saw({ kind: 'undone' });
      const form = formOf();
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && form?.contains(event.target) === true)
        confirm('form', null);
    },
    true,
  );

  // A native list of options captures the keyboard, and the debugger cannot access it.
  const keepShut = (event: Event): void => {
    if (
      event.target instanceof HTMLSelectElement &&
      (event.type === 'mousedown' || ['Enter', ' '].includes((event as KeyboardEvent).key))
    )
      event.preventDefault();
  };
  window.addEventListener('mousedown', keepShut, true);
  window.addEventListener('keydown', keepShut, true);

  const lines = new WeakMap<Element, number>();
  let lineCount = 0;
  const shown = (): Map<number, { title: string; doing: string; state: Told['state'] }> => {
    const found = new Map<number, { title: string; doing: string; state: Told['state'] }>();
    for (const element of document.querySelectorAll(
      'section[aria-label="Your decisions"] [role="group"], section[aria-label="Your decisions"] [role="alert"]',
    )) {
      const said = /^(Approving|Changing the arguments of|Rejecting|Requesting changes for) “(.+?)”(.*)/s.exec(
        element.textContent ?? '',
      );
      if (said === null) continue;
      const [, doing = '', title = '', rest = ''] = said;
      const line = lines.get(element) ?? (lineCount += 1);
      lines.set(element, line);
      found.set(line, {
        title,
        doing,
        state: rest.startsWith(': sent in')
          ? 'grace'
          : rest.startsWith(': no response')
            ? 'unknown'
            : rest.startsWith(' was not counted')
              ? 'failed'
              : 'sending',
      });
    }
    return found;
  };
  let before = new Map<number, { title: string; doing: string; state: Told['state'] }>();
  /** Returns the progress of the bulk approval dialog. */
  const together = (): ToldTogether['state'] => {
    for (const dialog of document.querySelectorAll('[role="dialog"]')) {
      const title = dialog.querySelector('h2')?.textContent ?? '';
      if (title === 'Results') return 'done';
      if (!/^Approve \d+ requests? together\?$/.test(title)) continue;
      if ([...dialog.querySelectorAll('button')].some((button) => /^Approve \d+$/.test(nameOf(button))))
        return 'asking';
      if (/Sent in \d s/.test(dialog.textContent ?? '')) return 'grace';
      return dialog.querySelector('[role="alert"]') === null ? 'sending' : 'failed';
    }
    return 'gone';
  };
  const counted = (): string[] =>
    [...document.querySelectorAll('[role="dialog"] ul[aria-live="polite"] > li')].flatMap((item) => {
      const title = item.querySelector('strong')?.textContent ?? '';
      const rest = (item.textContent ?? '').slice(title.length).trim();
      return rest === 'Approved' || rest.startsWith('Counted') ? [title] : [];
    });
  let togetherBefore: ToldTogether['state'] = 'gone';
  const look = (): void => {
    const now = shown();
    for (const [line, told] of before) if (!now.has(line)) saw({ ...told, kind: 'told', line, state: 'gone' });
    for (const [line, told] of now)
      if (before.get(line)?.state !== told.state || before.get(line)?.doing !== told.doing)
        saw({ ...told, kind: 'told', line });
    before = now;
    const state = together();
    if (state !== togetherBefore) saw({ kind: 'together', state, counted: state === 'done' ? counted() : [] });
    togetherBefore = state;
  };
  const begin = (): void => {
    new MutationObserver(look).observe(document.documentElement, {
      childList: true,
      subtree: true,
      characterData: true,
      attributes: true,
      attributeFilter: ['role', 'aria-label'],
    });
    look();
  };
  if (document.documentElement === null) document.addEventListener('DOMContentLoaded', begin);
  else begin();
}
