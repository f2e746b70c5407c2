/**
 * Fields that never leave the program: they occur in no file, request, response or Node option. The build gives them short
 * names, which saves several kilobytes, and rejects a name that also occurs in quotes somewhere.
 */
export const PRIVATE_NAMES = `
  accepted accepts aliases alternatives argument assistantSessionId atoms availableLength branchAt breaker budgetMs
  citation claudeConfigDir colonGap commaGap commands commonName compiledCode deadlineMs delimiter deliveryMs details dialect
  dissection elements emptyInner example facts failure fileFor forms freePath gitDir hardLimitMs hasGlob health hints
  importState indent isAsked isAsync isAtEnd isCaseInsensitive isDurable isImportant isIndented isLiteral isMemoryOff
  isNegated isOff isPattern isPrompt isQuick isQuoted isRecordingOff isRecursive isSubagent isTimeout isWhole items
  joinsRest kind knownSecrets launcher leaseMs lineEnd lineOf literals location maxBytes maxEvents maxTextLength maxTotalLength
  method occurredAtMs onBytes onEnd onRefused onSent option original outputOf parts pathFromRoot peek pipedFrom positional
  positionals problem projectRoot ranges readInput realPath redirects requireContainer requireMember scriptOptions
  scripts sendsBacklog shouldMatch skipScript stages subcommands subscript successorsOf switches takesAssignments takesContext target
  temporaryDirs title uploaded userHome valueOptions valuesOf verdict wasSent words wrappers
`
  .trim()
  .split(/\s+/);
