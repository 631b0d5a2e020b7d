import type { Page } from 'playwright-core';

/**
 * Deliberate activation of a control that decides: neither by a double click nor by a key before the focus is visible.
 */
export interface DecisionActivation {
  readonly kind: 'confirmed';
  /** `form`: sends the form; `dialog`: the last confirmation for a high risk; `together`: bulk approval. */
  readonly control: 'form' | 'dialog' | 'together';
  /** Id of the approval that the screen displays. */
  readonly approvalId: string;
  readonly titles: readonly string[];
  readonly decision: string;
  readonly comment: string;
  /** Whether the form was ready to be sent. */
  readonly ready: boolean;
}

/** Progress of a decision as displayed on screen. */
export interface VoteProgress {
  readonly kind: 'told';
  /** Line on the screen, because titles may be equal. */
  readonly line: number;
  readonly title: string;
  readonly doing: string;
  readonly state: 'undoable' | 'sending' | 'failed' | 'unknown' | 'gone';
}

/** Progress of the bulk approval dialog. */
export interface BulkProgress {
  readonly kind: 'together';
  readonly state: 'asking' | 'undoable' | 'sending' | 'failed' | 'done' | 'gone';
  /** With `done`: the approvals that were recorded. */
  readonly counted: readonly string[];
}

/** Activation of an Undo control. */
export interface UndoActivation {
  readonly kind: 'undone';
}

export type ScreenEvent = DecisionActivation | VoteProgress | BulkProgress | UndoActivation;

/**
 * Watches the screen like a user: activated controls, the texts next to them, and the messages that follow.
 * It does not depend on any code of the application.
 *
 * @param forbiddenNames names of controls that are blocked, because they would end the session or leave the application
 */
export async function observeScreen(
  page: Page,
  forbiddenNames: RegExp,
  onEvent: (screenEvent: ScreenEvent) => void,
): Promise<void> {
  await page.exposeFunction('monkeySaw', (screenEvent: ScreenEvent) => onEvent(screenEvent));
  await page.addInitScript(watchScreen, forbiddenNames.source);
  await page.evaluate(watchScreen, forbiddenNames.source);
}

/** Runs in the page, so it must be self-contained. */
function watchScreen(forbiddenNames: string): void {
  const scope = globalThis as unknown as { monkeySaw(screenEvent: unknown): void; monkeyWatches?: boolean };
  if (scope.monkeyWatches === true) return;
  scope.monkeyWatches = true;
  const DECISIONS: Readonly<Record<string, string>> = {
    'Approve': 'approve',
    'Reject': 'reject',
    'Request changes': 'request_changes',
    'Propose these arguments': 'edit',
  };
  const report = (screenEvent: unknown): void => scope.monkeySaw(screenEvent);
  const getName = (element: Element): string =>
    (element.getAttribute('aria-label') ?? (element as HTMLElement).innerText ?? '').trim();
  const findArticle = (): Element | null => document.querySelector('article[data-approval]');
  const findForm = (): Element | null => findArticle()?.querySelector('form[aria-labelledby], [role="form"]') ?? null;
  const findSubmitButton = (form: Element | null): HTMLButtonElement | null =>
    [...(form?.querySelectorAll<HTMLButtonElement>('button[type="submit"]') ?? [])].find(
      (button) => getName(button) in DECISIONS,
    ) ?? null;

  function findDecisionControl(
    target: EventTarget | null,
  ): { readonly control: DecisionActivation['control']; readonly element: Element } | undefined {
    const button = target instanceof Element ? target.closest('button') : null;
    if (button === null) return undefined;
    const dialog = button.closest('[role="dialog"]');
    if (dialog !== null) {
      if (['Yes, approve', 'Yes, propose them'].includes(getName(button)))
        return { control: 'dialog', element: button };
      return /^Approve \d+$/.test(getName(button)) ? { control: 'together', element: button } : undefined;
    }
    return button === findSubmitButton(findForm()) ? { control: 'form', element: button } : undefined;
  }
  function reportActivation(control: DecisionActivation['control'], dialog: Element | null): void {
    const form = findForm();
    const submitButton = findSubmitButton(form);
    const comment = [...(form?.querySelectorAll('textarea') ?? [])].find(
      (field) => field.labels[0]?.textContent?.startsWith('Comment') === true,
    );
    const listedTitles = [...(dialog?.querySelectorAll('li strong') ?? [])].map((each) => each.textContent ?? '');
    report({
      kind: 'confirmed',
      control,
      approvalId: findArticle()?.getAttribute('data-approval') ?? '',
      titles: control === 'together' ? listedTitles : [findArticle()?.querySelector('h2')?.textContent ?? ''],
      decision:
        control === 'together' ? 'approve' : (DECISIONS[submitButton === null ? '' : getName(submitButton)] ?? ''),
      comment:
        control === 'together'
          ? ''
          : control === 'dialog'
            ? (dialog?.querySelector('section[aria-label="Your comment"] pre')?.textContent ?? '').trim()
            : (comment?.value.trim() ?? ''),
      ready: submitButton?.getAttribute('aria-disabled') !== 'true',
    });
  }

  const isForbidden = (element: Element): boolean => {
    const link = element.closest('a');
    const leavesApplication =
      link !== null &&
      (link.target === '_blank' ||
        link.download !== '' ||
        link.origin !== location.origin ||
        link.pathname.startsWith('/api/'));
    return leavesApplication || new RegExp(forbiddenNames, 'i').test(getName(element));
  };
  const blockEvent = (event: Event): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  // Elements that the user focused by Tab or pointer. A focus that the application set must be painted first.
  const focusedByUser = new WeakSet<EventTarget>();
  let isUserFocus = false;
  let paintedElement: Element | null = null;
  const recordPaintedFocus = (): void => {
    paintedElement = document.activeElement;
    requestAnimationFrame(recordPaintedFocus);
  };
  requestAnimationFrame(recordPaintedFocus);
  window.addEventListener('keydown', (event) => (isUserFocus = event.key === 'Tab'), true);
  window.addEventListener('mousedown', () => (isUserFocus = true), true);
  window.addEventListener('mouseup', () => (isUserFocus = false), true);
  window.addEventListener(
    'focusin',
    ({ target }) => {
      if (isUserFocus && target !== null) focusedByUser.add(target);
    },
    true,
  );
  window.addEventListener(
    'click',
    (event) => {
      if (!event.isTrusted || !(event.target instanceof Element)) return;
      // With Ctrl, a link would open a new tab in front of this one.
      if (event.ctrlKey && event.target.closest('a') !== null) return blockEvent(event);
      const button = event.target.closest('button, a, [role="option"], [role="menuitem"]');
      if (button !== null && isForbidden(button)) return blockEvent(event);
      if (button !== null && /^Undo/.test(getName(button))) report({ kind: 'undone' });
      const decisionControl = findDecisionControl(event.target);
      if (decisionControl === undefined || event.detail > 1) return;
      const byKey = event.detail === 0 && document.activeElement === decisionControl.element;
      if (byKey && !focusedByUser.has(decisionControl.element) && paintedElement !== decisionControl.element) return;
      reportActivation(decisionControl.control, decisionControl.element.closest('[role="dialog"]'));
    },
    true,
  );
  window.addEventListener(
    'keydown',
    (event) => {
      if (!event.isTrusted || !(event.target instanceof Element)) return;
      if (event.key === 'u' && !event.target.matches('input:not([type=checkbox], [type=radio]), textarea, select'))
        report({ kind: 'undone' });
      if (event.key === 'Enter' && event.target.matches('[role="combobox"]')) {
        const option = document.getElementById(event.target.getAttribute('aria-activedescendant') ?? '');
        if (option !== null && isForbidden(option)) return blockEvent(event);
        report({ kind: 'undone' });
      }
      if (event.key === 'Escape' && event.target.closest('[role="dialog"]') !== null) report({ kind: 'undone' });
      const form = findForm();
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && form?.contains(event.target) === true)
        reportActivation('form', null);
    },
    true,
  );

  // A native list of options captures the keyboard, and the debugger cannot access it.
  const blockNativeSelect = (event: Event): void => {
    if (
      event.target instanceof HTMLSelectElement &&
      (event.type === 'mousedown' || ['Enter', ' '].includes((event as KeyboardEvent).key))
    )
      event.preventDefault();
  };
  window.addEventListener('mousedown', blockNativeSelect, true);
  window.addEventListener('keydown', blockNativeSelect, true);

  const lines = new WeakMap<Element, number>();
  let lineCount = 0;
  const readProgressLines = (): Map<number, { title: string; doing: string; state: VoteProgress['state'] }> => {
    const found = new Map<number, { title: string; doing: string; state: VoteProgress['state'] }>();
    for (const element of document.querySelectorAll(
      'section[aria-label="Your decisions"] [role="group"], section[aria-label="Your decisions"] [role="alert"]',
    )) {
      const progressMatch = /^(Approving|Changing the arguments of|Rejecting|Requesting changes for) “(.+?)”(.*)/s.exec(
        element.textContent ?? '',
      );
      if (progressMatch === null) continue;
      const [, doing = '', title = '', rest = ''] = progressMatch;
      const line = lines.get(element) ?? (lineCount += 1);
      lines.set(element, line);
      found.set(line, {
        title,
        doing,
        state: rest.startsWith(': sending in')
          ? 'undoable'
          : rest.startsWith(': no response')
            ? 'unknown'
            : rest.startsWith(' was not counted')
              ? 'failed'
              : 'sending',
      });
    }
    return found;
  };
  let progressBefore = new Map<number, { title: string; doing: string; state: VoteProgress['state'] }>();
  /** Returns the state of the bulk approval dialog. */
  const readBulkState = (): BulkProgress['state'] => {
    for (const dialog of document.querySelectorAll('[role="dialog"]')) {
      const title = dialog.querySelector('h2')?.textContent ?? '';
      if (title === 'Results') return 'done';
      if (!/^Approve \d+ requests? together\?$/.test(title)) continue;
      if ([...dialog.querySelectorAll('button')].some((button) => /^Approve \d+$/.test(getName(button))))
        return 'asking';
      if (/Sending in \d s/.test(dialog.textContent ?? '')) return 'undoable';
      return dialog.querySelector('[role="alert"]') === null ? 'sending' : 'failed';
    }
    return 'gone';
  };
  const readRecordedTitles = (): string[] =>
    [...document.querySelectorAll('[role="dialog"] ul[aria-live="polite"] > li')].flatMap((item) => {
      const title = item.querySelector('strong')?.textContent ?? '';
      const rest = (item.textContent ?? '').slice(title.length).trim();
      return rest === 'Approved' || rest.startsWith('Counted') ? [title] : [];
    });
  let bulkStateBefore: BulkProgress['state'] = 'gone';
  const checkForChanges = (): void => {
    const currentProgress = readProgressLines();
    for (const [line, progressLine] of progressBefore)
      if (!currentProgress.has(line)) report({ ...progressLine, kind: 'told', line, state: 'gone' });
    for (const [line, changedLine] of currentProgress)
      if (
        progressBefore.get(line)?.state !== changedLine.state ||
        progressBefore.get(line)?.doing !== changedLine.doing
      )
        report({ ...changedLine, kind: 'told', line });
    progressBefore = currentProgress;
    const state = readBulkState();
    if (state !== bulkStateBefore)
      report({ kind: 'together', state, counted: state === 'done' ? readRecordedTitles() : [] });
    bulkStateBefore = state;
  };
  const startObserving = (): void => {
    new MutationObserver(checkForChanges).observe(document.documentElement, {
      childList: true,
      subtree: true,
      characterData: true,
      attributes: true,
      attributeFilter: ['role', 'aria-label'],
    });
    checkForChanges();
  };
  if (document.documentElement === null) document.addEventListener('DOMContentLoaded', startObserving);
  else startObserving();
}
