/** Who deployed the version that is used from now; a person, so it stands in the private part of an event. */
export function recordedDeployer({ deployedBy }: { readonly deployedBy?: string }): { deployedBy?: string } {
  return deployedBy === undefined ? {} : { deployedBy };
}
