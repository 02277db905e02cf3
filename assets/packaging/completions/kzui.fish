# Completions come from the program itself, so that they know the targets of the working directory.
kzui completions fish | source
