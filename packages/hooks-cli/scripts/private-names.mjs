/**
 * Fields that never leave the program: they occur in no file, request, response or Node option. The build gives them short
 * names, which saves several kilobytes, and rejects a name that also occurs in quotes somewhere.
 */
export const PRIVATE_NAMES = `
  accepted accepts aliases alternatives approvalSettings argument harnessName isApproved assistantSessionId atoms availableLength body branchAt breaker
  budgetMs citation claudeConfigDir colonGap commaGap commands commonName deadlineMs delimiter deliveryMs
  details dialect dissection elements emptyInner event example facts failure fileFor fileNames findIdentifier forms
  freePath gitDir hardLimitMs hasGlob hasIdentifier health hints home importState indent isAmbiguous isAsked isAsync
  isAtEnd isCaseInsensitive isCutOff isElsewhere isEmptied isOption isReplaced mayBeValue multiplies namesFrom isComplete isDurable isGeneral isGiven isIdentifier isImportant isIndented isInTranscript isLiteral
  isMemoryOff isNegated isOff isPattern isPrompt isQuick isQuoted isRecordingOff isRecursive isRoutine isSubagent isTimeout
  isWhole items joinsRest kind knownSecrets lastCharacter launcher leadingPunctuation leaseMs limitMs lineEnd lineOf literals
  location maxBytes maxEvents maxTextLength maxTotalLength memorySettings method modifiedAtMs occurredAtMs onBytes
  onEnd onRefused onSent option original outputOf overruled pathFromRoot peek pipedFrom pendingReply positional positionals problem
  projectRoot ranges rarity readInput realPath redirects requireContainer requireMember score scriptOptions scripts
  sendsBacklog shouldMatch skipScript skipSpace stages stoppedBy subcommands subscript successorsOf switches switchesIn
  agentTranscriptPath endsRun eventName extend graceMs hadInstructions heading isDoubtful isEverywhere isUndoOff useId refusal takesAssignments takesContext takeToken target temporaryDirs title toolKinds uploaded userHome valueOptions valuesOf verdict warnings
  container contentOf copied copiedTo directories isVariable mounts pairOptions plain readsInput receiver skippedRules unrecorded workdir
  isDiff startTokens wasCut wasSent withheld withheldUsage words wrappers
`
  .trim()
  .split(/\s+/);
