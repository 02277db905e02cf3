# Reads a ResourceList, sets the replicas of its objects, and writes it back.
set -e
input=$(cat)
count=$(printf '%s\n' "$input" | sed -n '/^functionConfig:/,$s/^  *count: *//p')
printf '%s\n' "$input" | sed "/^functionConfig:/,\$!s/^\(    *replicas:\).*/\1 $count/"
