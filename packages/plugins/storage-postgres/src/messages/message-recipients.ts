/** Recipients of a message, by workflow; `null` if the workflow refused it. */
export type MessageRecipients = Readonly<Record<string, { readonly runId: string; readonly started: boolean } | null>>;

export function toRunIds(received: MessageRecipients): { readonly runIds: string[]; readonly startedRunIds: string[] } {
  const recipients = Object.values(received).filter((each) => each !== null);
  const selectIds = (started: boolean): string[] =>
    recipients.filter((each) => each.started === started).map(({ runId }) => runId);
  return { runIds: selectIds(false), startedRunIds: selectIds(true) };
}
