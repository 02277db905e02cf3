# Completions come from the program itself, so that they know the targets of the working directory.
source <(kzui completions bash)
