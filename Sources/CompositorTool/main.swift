print("compositor")
